#include "conformance/pages/page.h"

#include "conformance/pages/markup.h"

namespace tandem::conformance {
namespace {

// Paper has the light colours, even if the screen is dark.
constexpr const char* kStyle = R"css(
:root { --ink: #1f2328; --paper: #fff; --faint: #8882; --good: #dff0d8; --fair: #fcf3cf; --bad: #f8dcdc;
  --alarm: #a40e0e; --data: #1d5fa8; --wrong: #c4320a }
@media screen { :root { color-scheme: light dark } }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #0d1117; --good: #12391d; --fair: #463a0b; --bad: #5a1a1a;
    --alarm: #ff8b82; --data: #84b4ff; --wrong: #ff8b66 }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 108rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper) }
p { max-width: 68rem }
h2 { margin-top: 2.5rem; overflow-wrap: anywhere }
table { border-collapse: collapse; margin: 1em 0 }
caption { text-align: left; font-size: .9rem }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem; border-bottom: 1px solid #8886 }
th[scope=col] { vertical-align: bottom }
td.number { text-align: right }
.rows th, .rows td { overflow-wrap: break-word }
.rows th[scope=row] { overflow-wrap: anywhere; min-width: 10rem }
code { font-size: .9em; overflow-wrap: anywhere }
figure { margin: 0 1rem 1rem 0; display: inline-block; max-width: 100%; vertical-align: top }
figure svg { max-width: 100%; height: auto }
.scroll figure { max-width: none }
figcaption { font-size: .9rem }
svg text { fill: currentColor; font-size: 12px }
.plot { background: var(--faint) }
.data { fill: var(--data) } .wrong { fill: var(--wrong) } .grid { stroke: #8886 } .limit { stroke: var(--alarm) }
.grade-A, .grade-B { background: var(--good) } .grade-C { background: var(--fair) } .grade-F { background: var(--bad) }
.vacuous { background: #8884 }
.alarm { color: var(--alarm); font-weight: bold }
.scroll { overflow-x: auto }
@media (max-width: 40rem) {
  .rows tr, .rows th, .rows td { display: block; border: 0; padding: .1rem 0; text-align: left }
  .rows td { overflow-wrap: anywhere }
  .rows td.number { text-align: left }
  .rows thead { display: none }
  .rows tr { border-bottom: 1px solid #8886; padding: .4rem 0 }
  .rows td[data-label]::before { content: attr(data-label) ": " }
  .rows td[data-label]:empty { display: none }
}
@media print {
  body { max-width: none; font-size: 10pt }
  h2, h3 { break-after: avoid }
  figure, tr { break-inside: avoid }
  .scroll { overflow: visible }
  .plot, td { print-color-adjust: exact }
  .scroll table { font-size: 7pt }
  .scroll th, .scroll td { padding: .1rem .3rem }
}
)css";

}  // namespace

std::string PageBegin(const std::string& title, const std::string& style) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"><title>" +
         Escape(title) + "</title><style>" + kStyle + style + "</style></head><body><main>\n";
}

std::string PageEnd() { return "</main></body></html>\n"; }

std::string Scrollable(const std::string& name, const std::string& html) {
  return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + Escape(name) + "\">" + html +
         "</div>\n";
}

}  // namespace tandem::conformance
