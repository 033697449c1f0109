#!/usr/bin/python3
"""site.py --root=TREE --out=DIR [--module=reference.js]: the guides and the live pages as one static site, which asks for nothing.

Without a module, the live pages are left out.
"""
import argparse
import html
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import formulas  # noqa: E402
import live  # noqa: E402
import markdown  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SECTIONS = ["Live", "Learn", "Guides", "Verdicts", "Source"]
LEARN = ("docs/book/", "docs/exercises/", "docs/equations", "docs/glossary", "docs/numerics")
LEFT_OUT = re.compile(r"^(bazel-|\.|prototypes/)|/(node_modules|third_party)/")


class Page:
    """One page of the site: where it lies, and its text before it gets a frame."""

    def __init__(self, address, section, title, body, scripts="", attributes=""):
        self.address, self.section, self.title, self.body = address, section, title, body
        self.scripts, self.attributes = scripts, attributes


def section_of(path):
    if path.startswith(LEARN):
        return "Learn"
    if path.startswith("docs/verdicts/"):
        return "Verdicts"
    return "Guides" if path.startswith("docs/") or "/" not in path else "Source"


def address_of(path):
    """README.md is what its folder shows."""
    folder, name = os.path.split(path)
    return os.path.join(folder, "index.html" if name == "README.md" else name[:-3] + ".html")


def slug(text, separator="-"):
    """The name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


class Links:
    """What a link of a Markdown file leads to in the site. Files that are no pages are copied as text."""

    def __init__(self, root, out, pages):
        self.root, self.out, self.pages = root, out, pages

    def rewrite(self, path, match):
        attribute, target = match[1], html.unescape(match[2])
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        file, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(path), file))
        for page in (full, os.path.join(full, "README.md")):
            if page in self.pages:
                return self.to(path, attribute, self.pages[page], anchor)
        source = self.root / full
        if not source.is_file():
            return "" if attribute == "href" else match[0]
        image = full.endswith((".svg", ".png"))
        copy = self.out / (full if image else f"files/{full}.txt")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        return self.to(path, attribute, str(copy.relative_to(self.out)), "")

    def to(self, path, attribute, address, anchor):
        here = os.path.dirname(address_of(path)) or "."
        return f'{attribute}="{os.path.relpath(address, here)}{"#" + anchor if anchor else ""}"'


def accessible(body):
    """Wide tables and code can be scrolled with the keyboard, and no header cell is empty."""
    count = iter(range(1, 10000))
    body = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", body)
    body = re.sub(r"<th( [^>]*)?>", lambda m: f'<th scope="col"{m[1] or ""}>', body)
    body = re.sub(r"<table>", lambda _: f'<div class="scroll" tabindex="0" role="region" aria-label="table {next(count)}"><table>', body)
    return body.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def markdown_page(root, path, links):
    text = (root / path).read_text(encoding="utf-8")
    kept = []

    def keep(mathml, is_block):
        kept.append(f'<p class="formula">{mathml}</p>' if is_block else mathml)
        return f"FORMULA{len(kept) - 1}X"

    # Of "```python torch" only the language.
    text = re.sub(r"^```(\w+) .*$", r"```\1", formulas.with_formulas(text, keep), flags=re.MULTILINE)
    writer = markdown.Markdown(extensions=["tables", "fenced_code", "toc", "sane_lists"], extension_configs={"toc": {"slugify": slug}})
    body = re.sub(r"FORMULA(\d+)X", lambda m: kept[int(m[1])], writer.convert(text))
    body = re.sub(r'(href|src)="([^"]*)"', lambda m: links.rewrite(path, m), body)
    title = re.search(r"^# (.*)$", text, re.MULTILINE)
    return Page(address_of(path), section_of(path), re.sub(r"[`*]", "", title[1]) if title else path, accessible(body))


def framed(page, pages):
    depth = page.address.count("/")
    root = "../" * depth
    here = os.path.dirname(page.address) or "."

    def link(other, text):
        current = ' aria-current="page"' if other is page else ""
        return f'<li><a href="{os.path.relpath(other.address, here)}"{current}>{html.escape(text)}</a>'

    first = {section: next((other for other in pages if other.section == section), None) for section in SECTIONS}
    sections = "".join(link(first[section], section).replace(' aria-current="page"', "") for section in SECTIONS if first[section])
    listed = "".join(link(other, other.title) for other in pages if other.section == page.section)
    values = {"title": html.escape(page.title), "root": root, "attributes": page.attributes, "sections": sections, "body": page.body,
              "pages": f"<h2>{page.section}</h2><ul>{listed}</ul>", "scripts": page.scripts}
    return re.sub(r"\{\{(\w+)\}\}", lambda m: values[m[1]], (HERE / "template.html").read_text(encoding="utf-8"))


def index_of(pages):
    """The text of each section of each page."""
    entries = []
    for page in pages:
        for part in re.split(r"(?=<h[1-3])", page.body):
            heading = re.match(r'<h[1-3](?: id="([^"]*)")?[^>]*>(.*?)</h', part, re.DOTALL)
            text = html.unescape(re.sub(r"<[^>]+>", " ", part))
            name = html.unescape(re.sub(r"<[^>]+>", "", heading[2])) if heading else page.title
            anchor = f"#{heading[1]}" if heading and heading[1] else ""
            entries.append({"address": page.address + anchor, "title": page.title, "heading": name, "text": " ".join(text.split())})
    return entries


def write(out, pages):
    for page in pages:
        file = out / page.address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(framed(page, pages), encoding="utf-8")
    index = json.dumps(index_of(pages), ensure_ascii=False)
    (out / "index.js").write_text(f"globalThis.SITE_INDEX = {index};\n", encoding="utf-8")
    for name in ("site.css", "search.js"):
        shutil.copyfile(HERE / name, out / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--module", type=pathlib.Path)
    words = parser.parse_args()
    files = sorted(str(file.relative_to(words.root)) for file in words.root.glob("**/*.md")
                   if not LEFT_OUT.search(str(file.relative_to(words.root))))
    files.sort(key=lambda path: (path != "README.md", path))
    links = Links(words.root, words.out, {path: address_of(path) for path in files})
    words.out.mkdir(parents=True, exist_ok=True)
    pages = live.pages(Page, words.root, words.out, words.module) if words.module else []
    pages += [markdown_page(words.root, path, links) for path in files]
    write(words.out, pages)
    print(f"{len(pages)} pages")


if __name__ == "__main__":
    main()
