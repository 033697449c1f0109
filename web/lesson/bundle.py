"""bundle.py FOLDER writes the JavaScript modules of the package as one script, which a browser also takes from a file.

The script makes globalThis.TANDEM of the exports of index.mjs and safetensors.mjs. Modules import by name, or all as one.
"""
import pathlib
import re
import sys

IMPORT = re.compile(r'^import (?:\* as (\w+)|(\{[^}]*\})) from "\./(\w+)\.mjs";', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
LIST = re.compile(r"^export \{([^}]*)\};", re.MULTILINE)


def bundle(folder):
    done, parts = set(), []

    def add(name):
        if name in done:
            return
        done.add(name)
        text = (folder / f"{name}.mjs").read_text(encoding="utf-8")
        for match in IMPORT.finditer(text):
            add(match[3])
        names = [match[2] for match in EXPORT.finditer(text)]
        names += [each.strip() for match in LIST.finditer(text) for each in match[1].split(",")]
        text = IMPORT.sub(lambda m: f"const {m[1] or m[2]} = modules.{m[3]};", text)
        text = LIST.sub("", EXPORT.sub(r"\1 \2", text)).replace("import.meta.url", "location.href")
        parts.append(f"modules.{name} = (() => {{\n{text}\nreturn {{ {', '.join(names)} }};\n}})();\n")

    add("index")
    body = "".join(parts)
    if re.search(r"^(import|export)\b", body, re.MULTILINE):
        raise SystemExit("bundle.py: a module imports or exports in a way that it does not know")
    return f'"use strict";\n(() => {{\nconst modules = {{}};\n{body}globalThis.TANDEM = {{ ...modules.index, ...modules.safetensors }};\n}})();\n'


if __name__ == "__main__":
    print(bundle(pathlib.Path(sys.argv[1])), end="")
