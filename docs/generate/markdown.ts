// Tables of Markdown.

/** Cells hold Markdown; what would end a cell or a row is escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map(escapeCell).join(" | ")} |\n`)
    .join("");

export const code = (text: string): string => `\`${text}\``;

/** Outside of code, angle brackets would be taken for HTML; a line break is meant as one. */
const escapeCell = (text: string): string =>
  text
    .split(/(`[^`]*`|<br>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;")))
    .join("")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");
