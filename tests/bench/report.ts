import type { Finding } from "./bench.ts";

/** The findings as a table for the terminal. */
export function asTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ id, value, target, isMet, what }) => [
    id,
    value,
    target,
    isMet ? "met" : "MISSED",
    what,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The findings as a Markdown document. */
export function asMarkdown(findings: readonly Finding[], run: { machine: string; isQuick: boolean }): string {
  const rows = findings.map(
    ({ id, what, value, target, isMet, note, bound }) =>
      `| ${id} | ${what} | ${value} | ${target} | ${isMet ? "met" : "missed"} | ${note}${isMet || !bound ? "" : `. Bound by ${bound}`} |`,
  );
  return [
    "# Measured",
    "",
    `Written by \`npm run bench\`${run.isQuick ? " in its quick form" : ""} (${run.machine}). Every figure is a ratio of two things done in the same run on the`,
    "same machine, side by side and in turns: the median of the rounds, with the least and the most. Outputs are",
    "checked in the same run (refs, hashes, `git fsck`); a wrong answer is not measured.",
    "",
    "| | What | Ratio | Target | | Sizes and figures |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
