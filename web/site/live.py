"""The live pages: their frame, the book's pictures, the module as text, and where the reference computes each equation."""
import base64
import gzip
import json
import re
import shutil

CELLS = {"rnn": ("RNN", "vanilla_rnn"), "lstm": ("LSTM", "lstm"), "gru": ("GRU", "gru"), "lbr_gru": ("LBR-GRU", "lbr_gru"),
         "augru": ("AUGRU", "gru")}
SCRIPTS = ["module.js", "cells.js", "model.js", "draw.js", "picture.js"]


def sources(root):
    """Of each equation the lines of the reference that have its id in their margin."""
    found = {}
    for folder in ("reference/cells", "reference/stack"):
        for file in sorted((root / folder).glob("*.h")):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                code, _, margin = line.rpartition("// ")
                for name in re.findall(r"\[([A-Z]+\.B?\d+)\]", margin) if code.strip() else []:
                    found.setdefault(name, [{"place": f"{file.relative_to(root)}:{number}", "code": code.strip()}])
    return found


def script_tags(names):
    return "".join(f'<script src="{name}" defer></script>' for name in names)


def pages(page_class, root, out, module):
    """The pages; writes beside them what they load."""
    folder = root / "web/lesson"
    (out / "live").mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.js"):
        shutil.copyfile(file, out / "live" / file.name)
    packed = base64.b64encode(gzip.compress(module.read_bytes(), 9, mtime=0)).decode()
    (out / "live/reference.js").write_text(f'globalThis.LESSON_MODULE = "{packed}";\n', encoding="utf-8")
    (out / "live/sources.js").write_text(f"globalThis.LESSON_SOURCES = {json.dumps(sources(root))};\n", encoding="utf-8")
    data = ["reference.js", "sources.js"]
    made = []
    for name, (title, figure) in CELLS.items():
        picture = (root / f"docs/book/figures/{figure}.svg").read_text(encoding="utf-8")
        body = (folder / "page.html").read_text(encoding="utf-8").replace("{{title}}", title).replace("{{figure}}", picture)
        made.append(page_class(f"live/{name}.html", "Live", f"{title}, live", body, script_tags(data + SCRIPTS + ["page.js"]),
                               f' data-cell="{name}"'))
    for file in sorted(folder.glob("*.html")):
        if file.name != "page.html":
            title, _, body = file.read_text(encoding="utf-8").partition("\n")
            made.append(page_class(f"live/{file.name}", "Live", title, f"<h1>{title}</h1>\n{body}",
                                   script_tags(data + SCRIPTS + [f"{file.stem}.js"])))
    return made
