#!/usr/bin/python3
"""site.py --root=TREE --output=DIR [--module=reference.js] [--library=tandem.wasm]: the guides and the live pages as one static site, which asks for nothing.

Without a module, the live pages are left out. Without the library, the page that trains says so.
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
import guides  # noqa: E402
import live  # noqa: E402
import markdown  # noqa: E402
import reference  # noqa: E402

# A guide is found before texts for those who change the code.
WEIGHTS = {"Live pages": 0.9, "API": 0.7, "Change the code": 0.8, "Source": 0.5}
HERE = pathlib.Path(__file__).resolve().parent
DOORS = [("Book", "docs/book/index.html"), ("Live", "live/lstm.html"), ("Guides", "docs/index.html"), ("API", "api_reference/index.html")]
EQUATION = r"\[((?:RNN|LSTM|PEEP|PROJ|GRU|LBR|AUGRU|STACK|INT8)\.B?\d+)\]"
LEFT_OUT = re.compile(r"^(bazel-|\.|prototypes/)|/(node_modules|third_party)/")


class Page:
    """This is one page of the site: its place, its group of the list, and its text before it gets a frame."""

    def __init__(self, address, section, title, body, scripts="", attributes=""):
        self.address, self.section, self.title, self.body = address, section, title, body
        self.scripts, self.attributes, self.label = scripts, attributes, title

    def description(self):
        """Returns the first sentences of the text. Those of a cell's page say which cell it is."""
        for paragraph in re.findall(r"<p>(.*?)</p>", self.body, re.DOTALL):
            text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", paragraph)).split())
            text = f"{self.title}: {text}" if self.attributes else text
            if len(text) > 30:
                return text if len(text) < 200 else text[:200].rpartition(" ")[0] + " …"
        return f"{self.title}, of Tandem: recurrent neural networks on the CPU."


def address_of(path):
    """README.md becomes the page of its folder."""
    folder, name = os.path.split(path)
    return os.path.join(folder, "index.html" if name == "README.md" else name[:-3] + ".html")


def slug(text, separator="-"):
    """Returns the name that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


class Links:
    """Returns the address in the site that a link of a Markdown file leads to. Files that are no pages are copied as text."""

    def __init__(self, root, out, pages, has_live):
        self.root, self.out, self.pages, self.has_live = root, out, pages, has_live

    def rewrite(self, path, match):
        attribute, target = match[1], html.unescape(match[2])
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        file, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(path), file))
        for page in (full, os.path.join(full, "README.md")):
            if page in self.pages:
                return self.to(path, attribute, self.pages[page], anchor)
        if self.has_live and full.startswith("web/lesson/") and full.endswith(".html"):
            name = os.path.basename(full) if not anchor else f"{anchor}.html"
            return self.to(path, attribute, f"live/{name}", "")
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
    """Makes wide tables and code scrollable with the keyboard, empty header cells plain ones, and each number one word."""
    count = iter(range(1, 10000))
    body = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", body)
    body = re.sub(r"<th( [^>]*)?>", lambda m: f'<th scope="col"{m[1] or ""}>', body)
    body = re.sub(r"<td>([-+\d][-+.,\de%]*)</td>", r'<td class="number">\1</td>', body)
    body = re.sub(r"<table>", lambda _: f'<div class="scroll" tabindex="0" role="region" aria-label="table {next(count)}"><table>', body)
    return body.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')


def with_live_parts(body):
    """Turns a paragraph that is one link to a live page into that page, in a box. live_box.js loads it when it is in view."""
    def box(match):
        page = match[1]
        opened = "" if os.path.basename(page)[:-5] in live.CELLS else " open"
        return (f'<details class="live wide"{opened}><summary>{match[2]}</summary><iframe data-src="{page}?embed" title="{match[2]}">'
                f'</iframe><p><a href="{page}">The same on a page of its own</a></p></details>')

    return re.sub(r'<p><a href="([^"]*live/\w+\.html)">(Live: [^<]*)</a></p>', box, body)


def with_answers(body):
    """Hides the text below the heading "Answers" until a click."""
    return re.sub(r'(<h2 id="answers">Answers</h2>)(.*)$', r'<details class="answers"><summary>\1</summary>\2</details>', body, flags=re.DOTALL)


def link_equations(pages):
    """Links [LSTM.4] to the row of the book that has it."""
    places = {}
    for page in pages:
        if page.address.startswith("docs/book/"):
            for name in re.findall(rf"<td>{EQUATION}</td>", page.body):
                places[name] = page.address
            page.body = re.sub(rf"<td>({EQUATION})</td>", r'<td id="\2">\1</td>', page.body)
    for page in pages:
        here = os.path.dirname(page.address) or "."
        page.body = re.sub(EQUATION, lambda m: f'<a class="equation" href="{os.path.relpath(places[m[1]], here)}#{m[1]}">{m[0]}</a>'
                           if m[1] in places else m[0], page.body)


def number_chapters(pages):
    """The list beside each page has the numbers of the book's list."""
    chapters = [page for page in pages if re.match(r"docs/book/(?!index|references|teaching)", page.address)]
    for number, page in enumerate(chapters):
        page.label = f"{number}. {page.title}"


def front_page(page, has_live):
    """Returns the README without its title and first words, below the first part of the front page."""
    first = re.search(r"<p>(.*?)</p>", page.body, re.DOTALL)
    hero = (HERE / "home.html").read_text(encoding="utf-8").replace("{{first}}", first[0])
    page.body = (hero if has_live else re.sub(r"<!-- live -->.*?<!-- /live -->", "", hero)) + page.body[page.body.index("<h2"):]
    page.scripts, page.attributes = '<script src="home.js" defer></script>', ' class="front"'


def markdown_page(root, path, section, links):
    text = (root / path).read_text(encoding="utf-8")
    kept = []

    def keep(mathml, is_block):
        kept.append(f'<p class="formula">{mathml}</p>' if is_block else mathml)
        return f"FORMULA{len(kept) - 1}X"

    # Only the language of "```python torch" is left.
    text = re.sub(r"^```(\w+) .*$", r"```\1", formulas.with_formulas(text, keep), flags=re.MULTILINE)
    writer = markdown.Markdown(extensions=["tables", "fenced_code", "toc", "sane_lists"], extension_configs={"toc": {"slugify": slug}})
    body = re.sub(r"FORMULA(\d+)X", lambda m: kept[int(m[1])], writer.convert(text))
    body = re.sub(r'(href|src)="([^"]*)"', lambda m: links.rewrite(path, m), body)
    if path.startswith("docs/book/"):
        body = re.sub(rf"(?<=<pre><code>)(?=given|{EQUATION}).*?(?=</code></pre>)", lambda m: formulas.coloured(m[0]), body, flags=re.DOTALL)
    title = re.search(r"^# (.*)$", text, re.MULTILINE)
    body = accessible(with_answers(with_live_parts(body)))
    scripts = f'<script src="{"../" * path.count("/")}live_box.js" defer></script>' if "<iframe" in body else ""
    return Page(address_of(path), section, re.sub(r"[`*]", "", title[1]) if title else path, body, scripts)


def framed(page, groups):
    root = "../" * page.address.count("/")
    here = os.path.dirname(page.address) or "."
    order = list(dict.fromkeys(other for _, pages in groups for other in pages))
    at = order.index(page)

    def link(other, text, more=""):
        return f'<a href="{os.path.relpath(other.address, here)}"{more}>{html.escape(text)}</a>'

    def sections():
        found = re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', page.body)
        return "<ul>" + "".join(f'<li><a href="#{name}">{re.sub("<[^>]+>", "", text)}</a>' for name, text in found) + "</ul>" if found else ""

    def entry(other):
        return "<li>" + (link(other, other.label, ' aria-current="page"') + sections() if other is page else link(other, other.label))

    def group(title, pages):
        listed = "".join(map(entry, pages))
        return f'<details{" open" if page in pages else ""}><summary>{html.escape(title)}</summary><ul>{listed}</ul></details>'

    doors = [(title, address) for title, address in DOORS if any(other.address == address for other in order)]
    before = link(order[at - 1], f"← {order[at - 1].label}", ' rel="prev"') if at else "<span></span>"
    after = link(order[at + 1], f"{order[at + 1].label} →", ' rel="next"') if at + 1 < len(order) else ""
    values = {"title": html.escape(page.title), "root": root, "attributes": page.attributes, "body": page.body,
              "description": html.escape(page.description()), "neighbours": before + after, "scripts": page.scripts,
              "home": os.path.relpath("index.html", here),
              "doors": "".join(f'<a href="{os.path.relpath(address, here)}">{title}</a>' for title, address in doors), "groups": "".join(group(*each) for each in groups)}
    return re.sub(r"\{\{(\w+)\}\}", lambda m: values[m[1]], (HERE / "template.html").read_text(encoding="utf-8"))


def index_of(pages):
    """Returns the text of each section of each page, in the order of the pages."""
    entries = []
    for page in pages:
        for part in re.split(r"(?=<h[1-4])", page.body):
            heading = re.match(r'<h[1-4](?: id="([^"]*)")?[^>]*>(.*?)</h[1-4]>', part, re.DOTALL)
            text = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part[heading.end():] if heading else part)).split())
            name = html.unescape(re.sub(r"<[^>]+>", "", heading[2])) if heading else page.title
            anchor = f"#{html.unescape(heading[1])}" if heading and heading[1] and not part.startswith("<h1") else ""
            if heading or text:
                entries.append({"address": page.address + anchor, "title": page.title, "heading": name, "text": text,
                                "weight": WEIGHTS.get(page.section, 1)})
    return entries


def write(out, groups):
    pages = list(dict.fromkeys(page for _, group in groups for page in group))
    for page in pages:
        file = out / page.address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(framed(page, groups), encoding="utf-8")
    index = json.dumps(index_of(pages), ensure_ascii=False)
    synonyms = (HERE / "synonyms.json").read_text(encoding="utf-8")
    (out / "index.js").write_text(f"globalThis.SITE_INDEX = {index};\nglobalThis.SITE_SYNONYMS = {synonyms}", encoding="utf-8")
    for name in ("site.css", "frame.css", "search.js", "home.js", "live_box.js"):
        shutil.copyfile(HERE / name, out / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--module", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path)
    words = parser.parse_args()
    files = sorted(str(file.relative_to(words.root)) for file in words.root.glob("**/*.md")
                   if not LEFT_OUT.search(str(file.relative_to(words.root))))
    links = Links(words.root, words.output, {path: address_of(path) for path in files}, bool(words.module))
    words.output.mkdir(parents=True, exist_ok=True)
    named, places = reference.pages(words.root, Page)
    order = guides.groups(words.root, files)
    made = {path: markdown_page(words.root, path, title, links) for title, paths in reversed(order) for path in paths}
    link_equations(made.values())
    number_chapters([made[path] for _, paths in order for path in paths if path.startswith("docs/book/")])
    front_page(made["README.md"], bool(words.module))
    for page in made.values():
        page.body = reference.linked(page.body, page.address, places)
    groups = [(title, [made[path] for path in paths]) for title, paths in order]
    if words.module:
        groups.insert(1, ("Live pages", live.pages(Page, words.root, words.output, words.module, words.library)))
    for page in named:
        page.body = accessible(page.body)
    groups.insert(-1, ("API", named))
    write(words.output, groups)
    print(f"{len({page for _, pages in groups for page in pages})} pages")


if __name__ == "__main__":
    main()
