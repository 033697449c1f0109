"""The reference of the API has pages of C++, C and Python, made from the comments of headers and package, and links to them."""
import html
import itertools
import os
import re
import textwrap
import urllib.parse

import headers
import package

FOLDER = "api_reference"
# These pages have the headers. A public header that stands in none of them is an error.
HEADERS = {
    "cpp_memory": ("C++: memory", "dnnl/memory_base.hpp dnnl/memory_desc.hpp dnnl/memory.hpp"),
    "cpp_engines": ("C++: engines, streams, errors", "dnnl/engine.hpp dnnl/error.hpp dnnl/handle.hpp dnnl/service.hpp "
                    "dnnl/threadpool.hpp dnnl/threadpool_iface.hpp"),
    "cpp_attributes": ("C++: attributes and post-ops", "dnnl/attr.hpp dnnl/post_ops.hpp"),
    "cpp_primitives": ("C++: primitives and reorder", "dnnl/primitive_base.hpp dnnl/primitive_desc.hpp dnnl/primitive.hpp "
                       "dnnl/rnn_op.hpp dnnl/reorder.hpp dnnl/binary.hpp"),
    "cpp_lstm": ("C++: LSTM", "dnnl/lstm_forward.hpp dnnl/lstm_backward.hpp"),
    "cpp_gru": ("C++: GRU and LBR-GRU", "dnnl/gru.hpp"),
    "cpp_augru": ("C++: AUGRU and LBR-AUGRU", "dnnl/augru.hpp"),
    "cpp_vanilla_rnn": ("C++: vanilla RNN", "dnnl/vanilla_rnn.hpp"),
    "cpp_enums": ("C++: enumerations", "dnnl/enums.hpp dnnl/algorithm.hpp"),
    "cpp_network": ("C++: networks from files, streams", "tandem/network.hpp tandem/network_run.hpp tandem/stream.hpp tandem/safetensors.hpp"),
    "c_engines": ("C: engines and thread pools", "dnnl/c/linkage.h dnnl/c/engine.h dnnl/c/threadpool.h"),
    "c_memory": ("C: memory", "dnnl/c/memory.h dnnl/c/memory_desc.h"),
    "c_primitives": ("C: primitives and attributes", "dnnl/c/primitive.h dnnl/c/attr.h dnnl/c/post_ops.h dnnl/c/generation2.h"),
    "c_rnn": ("C: RNN", "dnnl/c/rnn_generation3.h dnnl/c/rnn_generation2.h"),
    "c_stream": ("C: one step at a time", "dnnl/rnn_stream.h"),
    "c_types": ("C: types and constants", "oneapi/dnnl/dnnl_types.h oneapi/dnnl/dnnl_enums.h oneapi/dnnl/dnnl_args.h "
                "oneapi/dnnl/dnnl_query.h oneapi/dnnl/dnnl_format_tags.h oneapi/dnnl/dnnl_debug.h oneapi/dnnl/dnnl_config.h "
                "oneapi/dnnl/dnnl_version.h oneapi/dnnl/dnnl_version_hash.h"),
    "c_abi": ("C: the binary interface", "dnnl/abi.h"),
}
MODULES = {"tandem_rnn": "__init__", "tandem_rnn.audio": "audio", "tandem_rnn.streams": "streams", "tandem_rnn.torch": "torch",
           "tandem_rnn.reference": "reference"}


def inline(text):
    """Returns a sentence of a comment in HTML: `code`, and the paths of guides as links."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"\b(docs/[\w/]+)\.md(#[\w-]+)?", r'<a href="../\1.html\2">\1.md</a>', text)


def prose(comment):
    """Returns paragraphs, lists with asterisks, and code, which is indented, in HTML."""
    parts = []
    for is_code, lines in itertools.groupby(comment.split("\n"), lambda line: line.startswith(("  ", "\t"))):
        text = "\n".join(lines)
        if is_code:
            parts.append(f"<pre><code>{html.escape(textwrap.dedent(text))}</code></pre>")
            continue
        for paragraph in re.split(r"\n\s*\n|\n(?=\* )", text):
            if paragraph.strip():
                parts.append(f"<p>{inline(paragraph.strip().removeprefix('* '))}</p>")
    return "".join(parts)


class Writer:
    """Writes one page; places: the address of each name of all pages."""

    def __init__(self, address, places):
        self.address, self.places, self.taken, self.parts, self.first_names = address, places, set(), [], []

    def heading(self, level, names, is_first, shown=None):
        """Adds a heading that is the place of several names. A name that comes again has its place already."""
        shown = ", ".join(dict.fromkeys(shown or names))
        names = [name.replace(" ", "_") for name in dict.fromkeys(names)]
        new = [name for name in names if name not in self.taken]
        more = (f"{names[0]}-{count}" for count in itertools.count(2))
        first = new[0] if new else next(name for name in more if name not in self.taken)
        self.taken.update(new, [first])
        self.first_names += new if is_first else []
        for name in new:
            self.places.setdefault(name, []).append(f"{self.address}#{urllib.parse.quote(name, safe=':.()=')}")
        others = "".join(f'<span id="{html.escape(name)}"></span>' for name in new[1:])
        self.parts.append(f'<h{level} id="{html.escape(first)}">{others}{html.escape(shown)}</h{level}>')

    def code(self, texts):
        self.parts.append(f'<pre class="declaration" tabindex="0"><code>{html.escape(chr(10).join(texts))}</code></pre>')

    def members(self, level, block):
        """Adds declarations that share one comment."""
        shown = [each.full_name if level == 3 else each.name for each in block]
        shown[0] = block[0].full_name if level == 3 else re.sub(r"^(dnnl|tandem)::", "", block[0].full_name)
        self.heading(level, [each.full_name for each in block], level == 3, shown)
        self.code(each.text for each in block)
        self.parts.append("".join(prose(each.comment) for each in block))

    def header(self, name, introduction, own, owned):
        self.parts.append(f'<h2 id="{name}">{name}</h2>{prose(introduction)}')
        self.declarations(3, own, owned)

    def declarations(self, level, own, owned):
        for block in blocks(own):
            self.members(level, block)
            for each in block if level == 3 else []:
                inner = owned.get(each.full_name, [])
                self.declarations(4, [member for member in inner if not member.is_class], owned)
                self.declarations(3, [member for member in inner if member.is_class], owned)

    def names(self):
        """Returns links to the names of the page, without members."""
        return ", ".join(f'<a href="{self.places[name][0].rpartition("/")[2]}">{html.escape(name)}</a>' for name in self.first_names)

    def page(self, page_class, title, lead=""):
        body = f"<h1>{html.escape(title)}</h1>{lead}<p>{self.names()}</p>{''.join(self.parts)}"
        return page_class(self.address, "API", title, body)


def blocks(declarations):
    """A declaration without a comment stands with the one above it, up to an empty line. A class stands alone."""
    block = []
    for each in declarations:
        is_alone = block and (each.is_class or block[-1].is_class or each.file != block[-1].file)
        if is_alone or block and each.begins and each.line != block[-1].line:
            yield block
            block = []
        block.append(each)
    if block:
        yield block


def header_pages(root, page_class, places):
    found, folder = headers.read(root / "api/include"), root / "api/include"
    listed = [name for _, names in HEADERS.values() for name in names.split()]
    owned, classes = {}, {each.full_name for each in found if each.is_class}
    for each in found:
        owned.setdefault(each.owner, []).append(each)
    # A class may be declared inside another one and defined in a later header.
    first = [each for each in found if each.owner not in classes or each.is_class and "::" in each.text.partition(" : ")[0]]
    wrong = sorted({each.file for each in first} - set(listed))
    if wrong:
        raise ValueError(f"web/site/reference.py: no page has {', '.join(wrong)}")
    for stem, (title, names) in HEADERS.items():
        writer = Writer(f"{FOLDER}/{stem}.html", places)
        for name in names.split():
            writer.header(name, headers.introduction(folder / name), [each for each in first if each.file == name], owned)
        yield writer, writer.page(page_class, title)


def python_pages(root, page_class, places):
    sources = package.Package(root / "python/tandem_rnn")
    for module, file in MODULES.items():
        writer = Writer(f"{FOLDER}/python_{module.replace('.', '_')}.html", places)
        for each in sources.names(file):
            writer.heading(2, [f"{module}.{each.name}"], True)
            writer.code([headers.wrapped(each.text)])
            writer.parts.append(prose(each.comment))
            for member in each.members:
                writer.heading(3, [f"{module}.{member.name}"], False, [member.name])
                writer.code([headers.wrapped(member.text)])
                writer.parts.append(prose(member.comment))
        if file == "__init__":
            writer.parts.append('<h2 id="types">Types in these signatures</h2>')
            writer.code(sources.types(file))
        yield writer, writer.page(page_class, f"Python: {module}", prose(sources.introduction(file)))


def contents(written, page_class):
    """Returns the first page: each page with its names that are no members."""
    parts = []
    for writer, page in written:
        file = os.path.basename(page.address)
        parts.append(f'<h2 id="{file[:-5]}"><a href="{file}">{html.escape(page.title)}</a></h2><p>{writer.names()}</p>')
    lead = ("<h1>The API, name by name</h1><p>Made from the comments of the public headers (<code>api/include</code>) and from the "
            "docstrings and stubs of the package for Python. A declaration without a comment stands with the one above it.</p>")
    return page_class(f"{FOLDER}/index.html", "API", "The API, name by name", lead + "".join(parts))


def pages(root, page_class):
    """Returns the pages, and the address of each name that means one thing only. A method's name alone ends in ()."""
    places, short = {}, {}
    written = [*python_pages(root, page_class, places), *header_pages(root, page_class, places)]
    for name, found in places.items():
        parts = name.split("::")
        for key in (name, "::".join(parts[1:]) if len(parts) > 2 else name, f"{parts[-1]}()"):
            short.setdefault(key, set()).update(found)
    only = {name: min(found) for name, found in short.items() if len(found) == 1}
    return [contents(written, page_class), *[page for _, page in written]], only


def linked(body, address, places):
    """Links the first place of each name of the API in a page's code to the reference."""
    seen = set()

    def link(match):
        found = re.fullmatch(r"([\w:.]*\w)(\(.*\))?", html.unescape(match[1]), re.DOTALL)
        name, call = found.groups() if found else ("", "")
        is_full = "::" in name or re.match(r"(tandem|dnnl|DNNL|TANDEM)_\w+", name)
        place = places.get(name) if is_full else places.get(f"{name}()") if call else None
        if not place or name in seen:
            return match[0]
        seen.add(name)
        return f'<a href="{os.path.relpath(place, os.path.dirname(address) or ".")}"><code>{match[1]}</code></a>'

    parts = re.split(r"(<a .*?</a>|<pre.*?</pre>|<h\d.*?</h\d>)", body, flags=re.DOTALL)
    return "".join(part if at % 2 else re.sub(r"<code>([^<]*)</code>", link, part) for at, part in enumerate(parts))
