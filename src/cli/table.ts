// A table for the terminal: columns as wide as what is in them, the head set apart.

import { stripVTControlCharacters, styleText } from "node:util";

export type Row = readonly string[];

export function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, column) =>
    Math.max(width(title), ...rows.map((row) => width(row[column] ?? ""))),
  );
  const line = (row: Row): string =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell)))
      .join("  ")
      .trimEnd();
  return [styleText("bold", line(head)), ...rows.map(line)].join("\n");
}

const width = (text: string): number => stripVTControlCharacters(text).length;
