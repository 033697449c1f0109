"""This makes the live pages: their frame, the book's pictures, and the modules as text."""
import base64
import gzip
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lesson"))
import bundle  # noqa: E402

CELLS = {"rnn": ("RNN", "vanilla_rnn"), "lstm": ("LSTM", "lstm"), "gru": ("GRU", "gru"), "lbr_gru": ("LBR-GRU", "lbr_gru"),
         "augru": ("AUGRU", "gru")}
SCRIPTS = ["module.js", "cells.js", "model.js", "letters.js", "draw.js", "chart.js", "state.js"]
# The page of a cell loads these, too. Scripts() of conformance/pages/trace/trace_page.cc has the same list.
CELL_SCRIPTS = ["edits.js", "picture.js", "over_time.js", "equation.js", "outputs.js", "numbers.js", "page.js"]


def script_tags(names):
    return "".join(f'<script src="{name}" defer></script>' for name in names)


STYLE = '<link rel="stylesheet" href="live.css">\n'


def pages(page_class, root, out, module, library):
    """Returns the pages, and writes beside them the files that they load. `library` is tandem.wasm or None."""
    folder = root / "web/lesson"
    (out / "live").mkdir(parents=True, exist_ok=True)
    for file in [*folder.glob("*.js"), folder / "live.css"]:
        shutil.copyfile(file, out / "live" / file.name)
    shutil.copyfile(module, out / "live/reference.js")
    (out / "live/package.js").write_text(bundle.bundle(root / "web/package"), encoding="utf-8")
    text = base64.b64encode(gzip.compress(library.read_bytes(), 9, mtime=0)).decode() if library else ""
    (out / "live/library.js").write_text(f'globalThis.LIBRARY_MODULE = "{text}";\n', encoding="utf-8")
    made = []
    for name, (title, figure) in CELLS.items():
        picture = (root / f"docs/book/figures/{figure}.svg").read_text(encoding="utf-8")
        body = STYLE + (folder / "page.html").read_text(encoding="utf-8").replace("{{title}}", f"{title}, live").replace("{{figure}}", picture)
        made.append(page_class(f"live/{name}.html", "Live", f"{title}, live", body, script_tags(["reference.js", "package.js"] + SCRIPTS + CELL_SCRIPTS),
                               f' data-cell="{name}"'))
    for file in sorted(folder.glob("*.html")):
        if file.name != "page.html":
            title, _, body = file.read_text(encoding="utf-8").partition("\n")
            made.append(page_class(f"live/{file.name}", "Live", title, f"{STYLE}<h1>{title}</h1>\n{body}",
                                   script_tags(SCRIPTS + [f"{file.stem}.js"])))
    return made
