import type { FileTime } from "./test-reports.ts";

/** One part of a run. Parts may run in parallel. */
export type Phase = { name: string; ms: number };

const BEGIN = "<!-- times: written by `npm test -- --record` -->";
const END = "<!-- end of times -->";
const SHOWN_FILES = 10;

/** Markdown tables of a run's phases, its total time, and its slowest files. */
export function renderTimes(phases: readonly Phase[], totalMs: number, files: readonly FileTime[]): string {
  const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, SHOWN_FILES);
  return [
    "| Phase | Minutes |",
    "|---|---|",
    ...phases.map(({ name, ms }) => `| ${name} | ${minutes(ms)} |`),
    `| all | ${minutes(totalMs)} |`,
    "",
    "| Slowest files | Seconds |",
    "|---|---|",
    ...slowest.map(({ file, ms }) => `| \`${file}\` | ${Math.round(ms / 1_000)} |`),
  ].join("\n");
}

/** Replaces a page's section about times. @throws Error when the page has no such section */
export function replaceTimes(page: string, times: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error("The page has no place for the times of a run.");
  return `${page.slice(0, from)}${BEGIN}\n\n${times}\n\n${page.slice(to)}`;
}

const minutes = (ms: number) => (ms / 60_000).toFixed(1);
