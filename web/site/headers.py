"""libclang (python3-clang-14) reads the declarations of the public headers with their comments."""
import dataclasses
import re

from clang import cindex
from clang.cindex import AccessSpecifier, CursorKind as Kind

CLASSES = (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE)
FUNCTIONS = (Kind.FUNCTION_DECL, Kind.FUNCTION_TEMPLATE, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.CONVERSION_FUNCTION)
VALUES = (Kind.TYPE_ALIAS_DECL, Kind.TYPEDEF_DECL, Kind.VAR_DECL, Kind.FIELD_DECL, Kind.ENUM_DECL)
GROUPS = (Kind.NAMESPACE, Kind.LINKAGE_SPEC, Kind.UNEXPOSED_DECL)
HIDDEN = (AccessSpecifier.PRIVATE, AccessSpecifier.PROTECTED)
# These have the bodies of the C functions, for C++.
LEFT_OUT = re.compile(r"dnnl/c/.*\.hpp$")
NO_NAMES = ("detail", "std")


@dataclasses.dataclass
class Declaration:
    """This is a name of a header. owner: the namespace or class around it, in full. begins: a comment or blank line is above."""
    file: str
    line: int
    owner: str
    name: str
    text: str
    comment: str
    is_class: bool
    begins: bool

    @property
    def full_name(self):
        return inside(self.owner, self.name)


def inside(owner, name):
    return f"{owner}::{name}" if owner and name else owner or name


def comment_above(lines, line):
    """Returns the comment that ends above a line, which counts from 1, without its marks."""
    end = line - 1
    while end and lines[end - 1].startswith("#if"):
        end -= 1
    start = end
    while start and lines[start - 1].lstrip().startswith("//"):
        start -= 1
    if start == end and end and lines[end - 1].rstrip().endswith("*/"):
        start -= 1
        while re.match(r"\s*\*", lines[start]):
            start -= 1
        # A comment behind a declaration is not about the next one.
        if not lines[start].lstrip().startswith("/*"):
            return ""
    text = "\n".join(re.sub(r"^\s*(///?|/\*|\*(?!/))? ?|\s*\*/$", "", each) for each in lines[start:end])
    return re.sub(r"(Written by )?api/schema(: \w+|, not by hand\.)", "", text).strip("\n")


def without_body(text):
    """Returns a function's declaration up to its body or the list of what it initializes."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        is_colon = letter == ":" and ":" not in (text[at - 1], text[at + 1:at + 2])
        if depth == 0 and (letter == "{" or is_colon):
            text = text[:at]
            break
    return re.sub(r"\s+", " ", re.sub(r"\b(static inline|inline|DNNL_API|TANDEM_C_API) ", "", text)).strip()


def wrapped(text, width=100):
    """A long declaration has one parameter a line."""
    if len(text) <= width or "(" not in text or "\n" in text:
        return text
    depth, parts, start = 0, [], text.index("(", text.find(">") if text.startswith("template") else 0) + 1
    begin = start
    for at in range(start, len(text)):
        depth += (text[at] in "([<{") - (text[at] in ")]>}")
        if depth < 0 or (depth == 0 and text[at] == ","):
            parts.append(text[begin:at].strip())
            begin = at + 1
        if depth < 0:
            return text[:start] + "\n    " + ",\n    ".join(parts) + text[at:]
    return text


class Reader:
    """Reads the headers below a folder, as a client of one generation of the API sees them, into a dictionary."""

    def __init__(self, folder, generation, found):
        self.folder, self.found, self.lines = str(folder), found, {}
        headers = sorted(str(file.relative_to(folder)) for file in folder.glob("**/*.h*"))
        self.headers = [name for name in headers if not LEFT_OUT.search(name)]
        source = "".join(f'#include "{name}"\n' for name in self.headers)
        options = cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES | cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        words = ["-std=c++17", f"-I{folder}", f"-DDNNL_VERSION_MAJOR={generation}"]
        tree = cindex.Index.create().parse("all.cc", words, unsaved_files=[("all.cc", source)], options=options)
        errors = [str(each) for each in tree.diagnostics if each.severity >= cindex.Diagnostic.Error]
        if errors:
            raise ValueError("\n".join(errors))
        self.walk(tree.cursor, "")

    def header_of(self, cursor):
        """Returns the header of a declaration; an empty one if it is not in a header of ours."""
        file = cursor.location.file
        name = file.name[len(self.folder) + 1:] if file and file.name.startswith(self.folder) else ""
        return name if name in self.headers else ""

    def lines_of(self, cursor):
        name = cursor.location.file.name
        if name not in self.lines:
            self.lines[name] = open(name, encoding="utf-8").read().split("\n")
        return self.lines[name]

    def text_of(self, cursor):
        source, start, end = self.lines_of(cursor), cursor.extent.start, cursor.extent.end
        first = source[start.line - 1]
        indent = first[:len(first) - len(first.lstrip())]
        parts = source[start.line - 1:end.line]
        parts[-1] = parts[-1][:end.column - 1]
        parts[0] = parts[0][start.column - 1:]
        return "\n".join(part.removeprefix(indent) for part in parts)

    def walk(self, cursor, owner):
        for child in cursor.get_children():
            if not self.header_of(child) or child.access_specifier in HIDDEN and child.kind != Kind.CXX_BASE_SPECIFIER:
                continue
            if child.kind == Kind.CXX_BASE_SPECIFIER:
                self.take_over(child, owner)
            elif child.kind in GROUPS and child.spelling not in NO_NAMES:
                self.walk(child, inside(owner, "" if child.spelling == "tandem_v1" else child.spelling))
            elif child.kind in GROUPS:
                continue
            else:
                self.visit(child, owner)

    @staticmethod
    def base_of(specifier):
        """Returns the base class, and True if no client names it: then its members are the class's own."""
        base = specifier.type.get_canonical().get_declaration()
        base = cindex.conf.lib.clang_getSpecializedCursorTemplate(base) or base
        return base.get_definition(), base.semantic_parent is not None and base.semantic_parent.spelling == "detail"

    def bases(self, cursor):
        """Returns the names of the bases that clients may name."""
        for child in cursor.get_children():
            if child.kind == Kind.CXX_BASE_SPECIFIER:
                base, is_ours = self.base_of(child)
                yield from self.bases(base) if is_ours else [re.sub(r"(struct|class|dnnl::|tandem_v1::) ?", "", child.type.spelling)]

    def take_over(self, specifier, owner):
        base, is_ours = self.base_of(specifier)
        if is_ours:
            self.walk(base, owner)

    def visit(self, cursor, owner):
        kind, name = cursor.kind, cursor.spelling.split("<")[0]
        if kind == Kind.MACRO_DEFINITION:
            # An include guard has no value.
            if self.text_of(cursor) != name and not re.match(r"TANDEM_\w+\(", self.text_of(cursor)):
                self.add(cursor, owner, name, f"#define {self.text_of(cursor)}")
        elif kind in CLASSES:
            is_special = kind != Kind.CLASS_TEMPLATE and "<" in cursor.displayname
            if cursor.is_definition() and name and not is_special:
                self.visit_class(cursor, owner, name)
        elif kind in FUNCTIONS:
            if cursor.canonical == cursor and not re.search(r"= *(delete|default)$", self.text_of(cursor)):
                self.visit_function(cursor, owner, name)
        elif kind in VALUES and name and cursor.lexical_parent == cursor.semantic_parent:
            self.visit_value(cursor, owner, name)

    def visit_function(self, cursor, owner, name):
        text = without_body(self.text_of(cursor))
        if cursor.kind == Kind.FUNCTION_DECL and name not in text:
            # A macro has made the declaration.
            text = f"{cursor.result_type.spelling} {cursor.displayname}"
        if cursor.kind == Kind.CONVERSION_FUNCTION:
            name = re.search(r"operator [^(]+", text)[0]
        if cursor.kind == Kind.CONSTRUCTOR:
            text, name = text.replace(name, owner.split("::")[-1], 1), owner.split("::")[-1]
        self.add(cursor, owner, name, wrapped(text))

    def visit_value(self, cursor, owner, name):
        text = self.text_of(cursor)
        if cursor.kind == Kind.TYPE_ALIAS_DECL:
            target = cursor.underlying_typedef_type.get_canonical().get_declaration()
            if target.semantic_parent is not None and target.semantic_parent.spelling == "detail":
                if target.kind != Kind.ENUM_DECL:
                    return
                text = self.text_of(target).replace(target.spelling, name, 1)
        self.add(cursor, owner, name, text)

    def visit_class(self, cursor, owner, name):
        text = self.text_of(cursor)
        if cursor.lexical_parent != cursor.semantic_parent:
            owner = inside(owner, cursor.semantic_parent.spelling)
        has_members = any(child.kind in FUNCTIONS + CLASSES + (Kind.CXX_BASE_SPECIFIER,) for child in cursor.get_children())
        if has_members:
            bases = ", ".join(self.bases(cursor))
            text = " ".join(re.split(r" final| : |{", text)[0].split()) + (f" : {bases}" if bases else "")
        self.add(cursor, owner, name, text)
        if has_members:
            self.walk(cursor, inside(owner, name))

    def add(self, cursor, owner, name, text):
        source, line = self.lines_of(cursor), cursor.extent.start.line
        comment = comment_above(source, line)
        begins = bool(comment) or source[line - 2].strip()[:2] in ("", "//")
        # A typedef and the type without a name that it names are on one line: the typedef says more.
        key = (self.header_of(cursor), line, owner, name) + ((text,) if cursor.kind in FUNCTIONS else ())
        if len(text) > len(self.found[key].text if key in self.found else ""):
            self.found[key] = Declaration(*key[:4], text, comment, cursor.kind in CLASSES, begins)


def read(folder):
    """Returns the declarations of both generations, in the order of the headers' lines."""
    found = {}
    for generation in (3, 2):
        Reader(folder, generation, found)
    return sorted(found.values(), key=lambda each: (each.file, each.line))


def introduction(file):
    """Returns the comment at the beginning of a header."""
    lines = file.read_text(encoding="utf-8").split("\n")
    return comment_above(lines, next(at for at, line in enumerate(lines, 1) if line.startswith("#")))
