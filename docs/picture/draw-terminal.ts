// Lines of a terminal as an SVG that any browser shows, with no font or script to fetch.

export type TerminalLine = { readonly text: string; readonly kind: "command" | "output" };

const LINE_HEIGHT = 20;
const CHARACTER_WIDTH = 8.05;
const MARGIN = 24;
const TITLE_BAR = 36;

export function drawTerminal(lines: readonly TerminalLine[]): string {
  const columns = Math.max(...lines.map(({ text }) => text.length));
  const width = Math.ceil(columns * CHARACTER_WIDTH) + 2 * MARGIN;
  const height = lines.length * LINE_HEIGHT + TITLE_BAR + 2 * MARGIN - 10;
  const rows = lines.map(({ text, kind }, row) => {
    const y = TITLE_BAR + MARGIN + row * LINE_HEIGHT;
    return `<text x="${MARGIN}" y="${y}" class="${kind}" xml:space="preserve">${colour(escaped(text))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Hearth in a terminal">
<style>
text { font: 13.4px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d8d3cb; white-space: pre; }
.command { fill: #ffb454; font-weight: 600; }
.good { fill: #8fc58a; }
.note { fill: #ffb454; }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#1d1a17"/>
<circle cx="20" cy="18" r="6" fill="#e0695f"/><circle cx="40" cy="18" r="6" fill="#e3b341"/><circle cx="60" cy="18" r="6" fill="#7fb871"/>
${rows.join("\n")}
</svg>
`;
}

const colour = (text: string): string =>
  text
    .replace(/^✓/, '<tspan class="good">✓</tspan>')
    .replace(/^!/, '<tspan class="note">!</tspan>')
    .replace(/^(Created .*)$/, '<tspan class="good">$1</tspan>');

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
