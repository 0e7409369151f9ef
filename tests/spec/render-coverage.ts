import type { ReportedTest } from "#tests/harness/test-reports.ts";

/** One row of the requirement checklist. */
export type Requirement = { id: string; area: string; text: string };

/** What is proved: per requirement the tests that passed with its id in their title. */
export type Coverage = {
  requirements: Requirement[];
  proofs: Map<string, ReportedTest[]>;
  /** Ids in titles that the checklist does not know. */
  unknownIds: string[];
};

/** Reads the checklist: a header line, then id, part, area, requirement and check between tabs. */
export function readRequirements(tsv: string): Requirement[] {
  return tsv
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => {
      const [id = "", , area = "", text = ""] = line.split("\t");
      return { id, area, text };
    });
}

/** The ids that a title claims: `[P-232]`, `[A-018, P-213]`. */
export function idsIn(title: string): string[] {
  return [...title.matchAll(/\[([^\]]*)\]/g)].flatMap(
    ([, inside = ""]) => inside.match(/\b[A-Z]-\d{3}\b/g) ?? [],
  );
}

/**
 * Joins checklist and tests. Only a test that passed proves anything, and one failed test that claims an id takes
 * the proof of that id away, whatever others say.
 */
export function collectCoverage(requirements: Requirement[], tests: readonly ReportedTest[]): Coverage {
  const known = new Set(requirements.map(({ id }) => id));
  const proofs = new Map<string, ReportedTest[]>();
  const refuted = new Set<string>();
  const unknownIds = new Set<string>();
  for (const test of tests) {
    for (const id of new Set(idsIn(test.title))) {
      if (!known.has(id)) unknownIds.add(id);
      else if (test.outcome === "failed") refuted.add(id);
      else if (test.outcome === "passed") proofs.set(id, [...(proofs.get(id) ?? []), test]);
    }
  }
  for (const id of refuted) proofs.delete(id);
  return { requirements, proofs, unknownIds: [...unknownIds].sort() };
}

/** The coverage as Markdown: a summary, every area with its proved rows, then what is open. Same input, same text. */
export function renderCoverage({ requirements, proofs }: Coverage): string {
  const areas = [...new Set(requirements.map(({ area }) => area))].sort();
  const rowsOf = (area: string) => requirements.filter((row) => row.area === area);
  const isProved = ({ id }: Requirement) => proofs.has(id);
  const summary = areas.map((area) => {
    const rows = rowsOf(area);
    return `| ${area} | ${rows.filter(isProved).length} | ${rows.length} |`;
  });
  const proved = areas.flatMap((area) => {
    const rows = rowsOf(area).filter(isProved);
    if (rows.length === 0) return [];
    const lines = rows.map(
      (row) => `| ${row.id} | ${cell(row.text)} | ${provers(proofs.get(row.id) ?? [])} |`,
    );
    return [`### ${area}`, "", "| Id | Requirement | Proved by |", "|---|---|---|", ...lines, ""];
  });
  const open = areas.flatMap((area) => {
    const ids = rowsOf(area).filter((row) => !isProved(row));
    return ids.length === 0 ? [] : [`- ${area}: ${ids.map(({ id }) => id).join(" ")}`];
  });
  return [
    "# Requirements and the tests that prove them",
    "",
    "Written by `npm run coverage:spec` from the tests that passed last; do not edit.",
    "",
    `${proofs.size} of ${requirements.length} requirements are proved by a test.`,
    "",
    "| Area | Proved | All |",
    "|---|---|---|",
    ...summary,
    "",
    "## Proved",
    "",
    ...proved,
    "## Open",
    "",
    ...open,
    "",
  ].join("\n");
}

function provers(tests: readonly ReportedTest[]): string {
  const lines = tests.map(
    ({ title, file }) => `${cell(title.replace(/^(\[[^\]]*\]\s*)+/, ""))} (\`${file}\`)`,
  );
  return [...new Set(lines)].sort().join("<br>");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
}
