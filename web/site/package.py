"""This reads the Python package's public names with their docstrings and the stubs' signatures. Nothing is imported."""
import ast
import dataclasses
import inspect
import re

SPECIAL = ("__init__", "__call__", "__len__")


@dataclasses.dataclass
class Name:
    """This is a class, function or method. text: as the stub declares it; comment: its docstring."""
    name: str
    text: str
    comment: str
    members: list


def parsed(file):
    return ast.parse(file.read_text(encoding="utf-8"))


def is_setter(node):
    return any(isinstance(each, ast.Attribute) and each.attr == "setter" for each in node.decorator_list)


def definitions(tree):
    """Returns classes and functions by their names; for a property the getter."""
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not is_setter(node)}


def docstring(node):
    return inspect.cleandoc(ast.get_docstring(node) or "") if node else ""


class Package:
    """These are the sources of the package. A module's names are followed through its imports."""

    def __init__(self, folder):
        self.folder = folder
        self.modules = {file.stem: parsed(file) for file in sorted(folder.glob("*.py"))}

    def definition(self, module, name):
        """Returns the module with the definition of a module's name, and the definition; nothing for a foreign name."""
        tree = self.modules.get(module, ast.Module([]))
        own = definitions(tree).get(name)
        if own:
            return module, own
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.level and name in [each.name for each in node.names]:
                return self.definition(node.module or name, name)
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_CONVERTERS":
                return self.definition(ast.literal_eval(node.value).get(name), name)
        return module, None

    def comment_of(self, module, node, name):
        """Returns the docstring of a method, of the class or of its bases in the package."""
        own = docstring(definitions(node).get(name)) if node else ""
        for base in node.bases if node and not own else []:
            own = own or self.comment_of(*self.definition(module, getattr(base, "id", "")), name)
        return own

    def class_of(self, module, stub):
        """Returns a class of the stub: its fields stand in its text, its methods are members."""
        module, node = self.definition(module, stub.name)
        fields = [ast.unparse(each) for each in stub.body if isinstance(each, ast.AnnAssign)]
        bases = ", ".join(ast.unparse(base) for base in stub.bases)
        text = f"class {stub.name}{f'({bases})' if bases else ''}" + "".join(f"\n    {field}" for field in fields)
        members = [Name(f"{stub.name}.{name}", signature(each, stub.name), self.comment_of(module, node, name), [])
                   for name, each in definitions(stub).items() if not name.startswith("_") or name in SPECIAL]
        return Name(stub.name, text, docstring(node), members)

    def names(self, module):
        """Returns the public names of a module, in the order of its stub."""
        for name, node in definitions(parsed(self.folder / f"{module}.pyi")).items():
            if isinstance(node, ast.FunctionDef):
                yield Name(name, signature(node), docstring(self.definition(module, name)[1]), [])
            elif not name.startswith("_"):
                yield self.class_of(module, node)

    def types(self, module):
        """Returns the types that a module's stub has names for."""
        stub = parsed(self.folder / f"{module}.pyi")
        return [ast.unparse(each) for each in stub.body if isinstance(each, ast.Assign) and re.match("_[A-Z]", ast.unparse(each.targets[0]))]

    def introduction(self, module):
        return docstring(self.modules[module])


def signature(function, owner=""):
    """Returns a function of a stub as a client writes it: without `def`, `self` and a body."""
    if function.decorator_list:
        return f"{function.name}: {ast.unparse(function.returns)}" if function.returns else ""
    parameters = re.sub(r"(?<=[\w\]])=", " = ", ast.unparse(function.args).removeprefix("self").removeprefix(", "))
    returns = "" if function.name == "__init__" else f" -> {ast.unparse(function.returns)}"
    return f"{owner if function.name == '__init__' else function.name}({parameters}){returns}"
