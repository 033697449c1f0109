"""check.py SITE: what is wrong with the links of a site; every formula, table and heading has its place."""
import html.parser
import os
import pathlib
import sys
import urllib.parse


class Reader(html.parser.HTMLParser):
    """The ids of a page, what it leads to, and what it loads."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids.add(values.get("id"))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link":
            self.loads.append(values["href"])
        if tag in ("img", "script", "iframe") and "src" in values:
            self.loads.append(values["src"])


def main():
    site = pathlib.Path(sys.argv[1])
    pages = {file: Reader(file.read_text(encoding="utf-8")) for file in site.glob("**/*.html")}
    wrong = []
    for file, page in pages.items():
        name = file.relative_to(site)
        wrong += [f"{name}: loads {address}" for address in page.loads if ":" in address and address != "data:,"]
        for link in page.links + [address for address in page.loads if ":" not in address]:
            if urllib.parse.urlparse(link).scheme:
                continue
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            target = pathlib.Path(os.path.normpath(file.parent / path)) if path else file
            if not target.is_file():
                wrong.append(f"{name}: {link} is not there")
            elif anchor and target in pages and anchor not in pages[target].ids:
                wrong.append(f"{name}: {link}: the page has no such place")
    formulas = sum(file.read_text(encoding="utf-8").count("<math>") for file in pages)
    for line in wrong:
        print(f"FAILED: {line}")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {formulas} formulas, {len(wrong)} wrong")
    return 1 if wrong or len(pages) < 80 or formulas < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
