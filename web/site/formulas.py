"""LaTeX in the Markdown files of this project becomes MathML. A command that is not known is an error."""
import html
import re

TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[{}_^']|[0-9.]+|[a-zA-Z]|\s+|.", re.DOTALL)
OPERATORS = {"odot": "⊙", "sum": "∑", "top": "⊤", "cdot": "·", "times": "×", "leq": "≤", "geq": "≥", "in": "∈", "ldots": "…"}
LETTERS = {"Delta": "Δ", "sigma": "σ", "alpha": "α", "beta": "β", "epsilon": "ε", "delta": "δ"}
FUNCTIONS = ("tanh", "exp", "max", "min", "log")
# These letters have the colours of the live pages; site.css has them.
COLOURED = "xhcifour"
# In a worked example: "x", "h'", "W_c~" or "Δ_f", with the letter alone in its colour.
NAME = re.compile(r"(?<![\w.])((?:d?[WUBP]_|Δ_|d)?)([xhcifour]~?)('?)(?![\w(])")
ACCENTS = {"tilde": "~", "hat": "^", "overrightarrow": "→", "overleftarrow": "←"}
UPRIGHT = ("mathrm", "text", "mathrel", "operatorname")


class Reader:
    """Reads one formula, token by token."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def raw_group(self):
        """Returns the text between braces, without a meaning."""
        if self.next() != "{":
            raise ValueError("a brace is missing")
        text = ""
        while self.peek() != "}":
            text += self.next().lstrip("\\") if self.peek().startswith("\\") else self.next()
        self.next()
        return text

    def group(self):
        if self.peek() == "{":
            self.next()
            inner = self.row("}")
            self.next()
            return inner
        return self.atom()

    def row(self, end=""):
        parts = []
        while self.at < len(self.tokens) and self.peek() != end:
            parts.append(self.scripts(self.atom()))
        return "<mrow>" + "".join(parts) + "</mrow>"

    def scripts(self, base):
        below, above, primes = "", "", ""
        while self.peek() and self.peek() in "_^'":
            mark = self.next()
            if mark == "_":
                below = self.group()
            elif mark == "'":
                primes += '<mo lspace="0" rspace="0">′</mo>'
            else:
                above += self.group()
        base = f"<mrow>{base}{primes}</mrow>" if primes else base
        if below and above:
            return f"<msubsup>{base}{below}<mrow>{above}</mrow></msubsup>"
        if below or above:
            tag, script = ("msub", below) if below else ("msup", f"<mrow>{above}</mrow>")
            return f"<{tag}>{base}{script}</{tag}>"
        return base

    def atom(self):
        token = self.next()
        if token == "{":
            self.at -= 1
            return self.group()
        if token.startswith("\\"):
            return self.command(token[1:])
        if token.isspace():
            return ""
        if re.fullmatch(r"[0-9.]+", token) and token != ".":
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f'<mi class="q-{token}">{token}</mi>' if token in COLOURED else f"<mi>{token}</mi>"
        if token == "-":
            # At the beginning it is a sign, which has no space behind it.
            is_sign = self.at == 1 or self.tokens[self.at - 2] in "([{=,"
            return '<mo form="prefix">−</mo>' if is_sign else "<mo>−</mo>"
        return f"<mo>{html.escape(token)}</mo>"

    def command(self, name):
        if name in OPERATORS:
            return f"<mo>{OPERATORS[name]}</mo>"
        if name in LETTERS or name in FUNCTIONS:
            return f"<mi>{LETTERS.get(name, name)}</mi>"
        if name in ACCENTS:
            base = self.group().replace("q-c", "q-ct") if name == "tilde" else self.group()
            return f"<mover>{base}<mo>{ACCENTS[name]}</mo></mover>"
        if name in UPRIGHT:
            text = html.escape(self.raw_group()).replace(" ", "\u00a0")
            return f"<mo>{text}</mo>" if name == "mathrel" else f'<mi mathvariant="normal">{text}</mi>'
        if name == "frac":
            return f"<mfrac>{self.group()}{self.group()}</mfrac>"
        if name in ("left", "right"):
            return f"<mo>{html.escape(self.next())}</mo>"
        if name in (",", " ", ";"):
            return '<mspace width="0.2em"></mspace>'
        if not name.isalpha():
            return f"<mo>{html.escape(name)}</mo>"
        raise ValueError(f"\\{name} is not known")


def mathml(latex):
    """Returns the <math> element of one formula."""
    try:
        return f"<math>{Reader(latex).row()}</math>"
    except (ValueError, IndexError) as error:
        raise ValueError(f"{error} in the formula {latex}") from None


def with_formulas(text, keep):
    """Replaces $`...`$ and ```math blocks of Markdown by the results of keep(mathml)."""
    text = re.sub(r"^```math\n(.*?)^```$", lambda m: keep(mathml(m[1].strip()), True), text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\$`(.*?)`\$", lambda m: keep(mathml(m[1]), False), text)


def coloured(code):
    """Returns the HTML of a worked example of the book with colours for its letters."""
    def letter(match):
        name = {"c~": "ct", "u~": "u"}.get(match[2], match[2])
        return f'{match[1]}<span class="q-{name}">{match[2]}{match[3]}</span>'

    return NAME.sub(letter, code)
