"""frames.py SITE MODULE writes the live pages alone, in the frame of a site without guides."""
import pathlib
import re
import sys

sys.path.insert(0, "web/site")
import live  # noqa: E402


class Page:
    def __init__(self, address, section, title, body, scripts="", attributes=""):
        self.address, self.values = address, {"title": title, "body": body, "scripts": scripts, "attributes": attributes,
                                              "root": "../", "description": section}


out = pathlib.Path(sys.argv[1])
template = pathlib.Path("web/site/template.html").read_text(encoding="utf-8")
(out / "search.js").write_text("", encoding="utf-8")
for page in live.pages(Page, pathlib.Path("."), out, pathlib.Path(sys.argv[2]), None):
    text = re.sub(r"\{\{(\w+)\}\}", lambda m: page.values.get(m[1], ""), template)
    (out / page.address).write_text(text, encoding="utf-8")
