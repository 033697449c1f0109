"""check.py SITE ROOT prints what is wrong with a site: links, the order of pages, names that the reference lacks, colours of letters."""
import ast
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse
import xml.etree.ElementTree


class Reader(html.parser.HTMLParser):
    """This collects the ids of a page, its links, the files that it loads, its neighbours, and its description."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.neighbours, self.description, self.home = set(), [], [], {}, "", ""
        self.twice = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if "id" in values:
            self.twice |= {values["id"]} & self.ids
            self.ids.add(values["id"])
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
            self.neighbours[values.get("rel")] = values["href"]
            self.home = values["href"] if values.get("class") == "home" else self.home
        if tag == "link":
            self.loads.append(values["href"])
        if tag == "meta" and values.get("name") == "description":
            self.description = values["content"]
        if tag in ("img", "script", "iframe") and ("src" in values or "data-src" in values):
            self.loads.append(values.get("src") or values["data-src"])


def target(file, link):
    return pathlib.Path(os.path.normpath(file.parent / re.split("[?#]", urllib.parse.unquote(link))[0])) if link else None


def wrong_links(site, pages):
    for file, page in pages.items():
        name = file.relative_to(site)
        yield from (f"{name}: loads {address}" for address in page.loads if ":" in address and address != "data:,")
        for link in page.links + [address for address in page.loads if ":" not in address]:
            if urllib.parse.urlparse(link).scheme:
                continue
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            to = target(file, link) if path else file
            if not to.is_file():
                yield f"{name}: {link} is not there"
            elif anchor and to in pages and anchor not in pages[to].ids:
                yield f"{name}: {link}: the page has no such place"
        yield from (f"{name}: {place} is the id of two elements" for place in page.twice)
        if target(file, page.home) != site / "index.html":
            yield f"{name}: the header leads to {page.home}"


def wrong_order(site, root, pages):
    """Follows `next` from the first page through all, and `prev` back. The guides must have the order of docs/README.md."""
    order, at = [], site / "index.html"
    while at and at not in order:
        order.append(at)
        after = target(at, pages[at].neighbours.get("next"))
        if after and target(after, pages[after].neighbours.get("prev")) != at:
            yield f"{after.relative_to(site)}: the page before it is not the one that leads to it"
        at = after
    yield from (f"{file.relative_to(site)}: no page leads to it as the next one" for file in pages.keys() - set(order))
    index = (root / "docs/README.md").read_text(encoding="utf-8")
    listed = [name for name in re.findall(r"\]\(([\w/]+\.md)", index) if not name.endswith("README.md")]
    guides = [site / "docs" / name.replace(".md", ".html") for name in dict.fromkeys(listed)]
    if [file for file in order if file in guides] != guides:
        yield "the guides do not have the order of docs/README.md"


def wrong_descriptions(site, pages):
    by_text = {}
    for file, page in pages.items():
        if not 20 <= len(page.description) <= 210:
            yield f"{file.relative_to(site)}: its description is {page.description!r}"
        by_text.setdefault(page.description, []).append(str(file.relative_to(site)))
    yield from (f"{', '.join(files)}: have one description" for files in by_text.values() if len(files) > 1)


def classes_of(text):
    """Yields the classes of a C++ header outside of `detail`. Each namespace has a line that opens it and one that closes it."""
    spaces = []
    for line in text.split("\n"):
        space = re.match(r"(?:inline )?namespace (\w+) \{$", line)
        name = re.match(r"(?:class|struct|enum class) (\w+)(?: : [^;{]*)? \{", line)
        if space:
            spaces.append(space[1])
        elif line.startswith("}  // namespace"):
            spaces.pop()
        elif name and "detail" not in spaces:
            yield "::".join([*(each for each in spaces if each != "tandem_v1"), name[1]])


def public_names(root):
    """Yields the API for a search of words: functions of the C level, classes outside of `detail`, names of the package."""
    for file in sorted((root / "api/include").glob("**/*.h*")):
        text = file.read_text(encoding="utf-8")
        yield from re.findall(r"^(?:DNNL_API|TANDEM_C_API) [^;{(]*?(\w+)\(", text, re.MULTILINE)
        yield from re.findall(r"^\} ((?:dnnl|tandem)_\w+_t);", text, re.MULTILINE)
        yield from classes_of(text) if file.suffix == ".hpp" and file.parent.name != "c" else ()
    for name in ("__init__", "audio", "streams", "torch"):
        tree = ast.parse((root / f"python/tandem_rnn/{name}.pyi").read_text(encoding="utf-8"))
        module = "tandem_rnn" if name == "__init__" else f"tandem_rnn.{name}"
        for node in tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                yield f"{module}.{node.name}"
                yield from (f"{module}.{node.name}.{each.name}" for each in getattr(node, "body", [])
                            if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"))


MOST_BYTES = 1_600_000  # one second of a usual connection; a live page then computes within the next one


def heavy_pages(site, pages):
    for file, page in pages.items():
        files = {file, *(target(file, address) for address in page.loads if ":" not in address and "?embed" not in address)}
        size = sum(each.stat().st_size for each in files if each.is_file())
        if size > MOST_BYTES:
            yield f"{file.relative_to(site)}: it loads {size} bytes"


LETTER = re.compile(r"(?<![\w.])d?([xhcifour]|ĥ)~?'?(?![\w~'])")
CSS_COLOUR = re.compile(r"--(\w+): (#\w+)")
SAME = {"u": "i", "r": "f"}  # GRU's gates have the colours of the gates that they resemble


def wrong_letters(site):
    """A letter has one colour: in the pictures of the book the one of site.css, light and dark, and in its worked examples."""
    light, dark = (dict(CSS_COLOUR.findall(part)) for part in (site / "site.css").read_text(encoding="utf-8").split("@media screen and", 1))
    for file in sorted((site / "docs/book/figures").glob("*.svg")):
        text = file.read_text(encoding="utf-8")
        for colours, part in zip((light, dark), text.split("@media (prefers-color-scheme: dark)")):
            found = re.findall(r"\.q-(\w+) { color: (#\w+); stroke: \2 }", part)
            yield from (f"{file.name}: {name} is {colour}" for name, colour in found if colours[SAME.get(name, name)] != colour)
            if {name for name, _ in found} != set(re.findall(r'class="q-(\w+)"', text)):
                yield f"{file.name}: not every letter has a colour"
        for element in xml.etree.ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}text"):
            own = " ".join([element.text or "", *(child.tail or "" for child in element)])
            if "class" not in element.attrib and LETTER.search(own):
                yield f"{file.name}: no colour in {''.join(element.itertext())}"
    for file in sorted((site / "docs/book").glob("*.html")):
        for name in re.findall(r"^(?:t=\d+ )?<a[^>]*>\[\w+\.\w+\]</a> +([^<= ]+) =", file.read_text(encoding="utf-8"), re.MULTILINE):
            if LETTER.fullmatch(name):
                yield f"{file.relative_to(site)}: {name} has no colour"


def main():
    site, root = map(pathlib.Path, sys.argv[1:])
    texts = {file: file.read_text(encoding="utf-8") for file in site.glob("**/*.html")}
    pages = {file: Reader(text) for file, text in texts.items()}
    has = set().union(*(page.ids for file, page in pages.items() if file.parent.name == "api_reference"))
    names = set(public_names(root))
    wrong = [*wrong_links(site, pages), *wrong_order(site, root, pages), *wrong_descriptions(site, pages), *wrong_letters(site), *heavy_pages(site, pages),
             *(f"the reference has no {name}" for name in sorted(names - has))]
    formulas = sum(text.count("<math>") for text in texts.values())
    for line in wrong:
        print(f"FAILED: {line}")
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {formulas} formulas, "
          f"{len(names)} names of the API, {len(wrong)} wrong")
    return 1 if wrong or len(pages) < 120 or formulas < 200 or len(names) < 350 else 0


if __name__ == "__main__":
    sys.exit(main())
