"""The live pages: their frame, the book's pictures, and the module as text."""
import shutil

CELLS = {"rnn": ("RNN", "vanilla_rnn"), "lstm": ("LSTM", "lstm"), "gru": ("GRU", "gru"), "lbr_gru": ("LBR-GRU", "lbr_gru"),
         "augru": ("AUGRU", "gru")}
SCRIPTS = ["reference.js", "module.js", "cells.js", "model.js", "letters.js", "draw.js"]
# The page of a cell loads these, too. Scripts() of conformance/pages/trace/trace_page.cc has the same list.
CELL_SCRIPTS = ["picture.js", "over_time.js", "equation.js", "outputs.js", "numbers.js", "page.js"]


def script_tags(names):
    return "".join(f'<script src="{name}" defer></script>' for name in names)


def pages(page_class, root, out, module):
    """The pages; writes beside them what they load."""
    folder = root / "web/lesson"
    (out / "live").mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.js"):
        shutil.copyfile(file, out / "live" / file.name)
    shutil.copyfile(module, out / "live/reference.js")
    made = []
    for name, (title, figure) in CELLS.items():
        picture = (root / f"docs/book/figures/{figure}.svg").read_text(encoding="utf-8")
        body = (folder / "page.html").read_text(encoding="utf-8").replace("{{title}}", f"{title}, live").replace("{{figure}}", picture)
        made.append(page_class(f"live/{name}.html", "Live", f"{title}, live", body, script_tags(SCRIPTS + CELL_SCRIPTS),
                               f' data-cell="{name}"'))
    for file in sorted(folder.glob("*.html")):
        if file.name != "page.html":
            title, _, body = file.read_text(encoding="utf-8").partition("\n")
            made.append(page_class(f"live/{file.name}", "Live", title, f"<h1>{title}</h1>\n{body}",
                                   script_tags(SCRIPTS + [f"{file.stem}.js"])))
    return made
