import type { ReportedTest } from "#tests/harness/test-reports.ts";

/** One row of the requirement checklist. */
export type Requirement = { id: string; area: string; text: string };

/** A test, or a step of a journey, that proves a requirement. */
export type Proof = { title: string; file: string };

/** Per requirement, the tests and steps that passed with its id in their title. */
export type Coverage = {
  requirements: Requirement[];
  proofs: Map<string, Proof[]>;
  /** Ids in titles that are missing from the checklist. */
  unknownIds: string[];
  /** Titles with too many ids to check. */
  crowdedTitles: string[];
  /** Ids without a certain result: a test that claims them was skipped, or passed only on a retry. */
  uncertainIds: string[];
};

/** Ids per title. With more, it is unclear which of its assertions proves which id. */
const MOST_IDS = 8;

/** Reads the checklist: a header line, then tab-separated id, part, area, requirement and check. */
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

/** The ids in a title: `[P-232]`, `[A-018, P-213]`. */
export function idsIn(title: string): string[] {
  return [...title.matchAll(/\[([^\]]*)\]/g)].flatMap(
    ([, inside = ""]) => inside.match(/\b[A-Z]-\d{3}\b/g) ?? [],
  );
}

/**
 * Joins checklist and tests. Only a test that passed proves its own ids and those of its steps. One failed test that
 * claims an id removes every proof of that id.
 */
export function collectCoverage(requirements: Requirement[], tests: readonly ReportedTest[]): Coverage {
  const known = new Set(requirements.map(({ id }) => id));
  const proofs = new Map<string, Proof[]>();
  const refuted = new Set<string>();
  const unknownIds = new Set<string>();
  const crowdedTitles = new Set<string>();
  const uncertainIds = new Set<string>();
  for (const { title: own, file, outcome, steps } of tests) {
    for (const title of [own, ...steps]) {
      const ids = new Set(idsIn(title));
      if (ids.size > MOST_IDS) crowdedTitles.add(`${title} (${file})`);
      for (const id of ids) {
        if (!known.has(id)) unknownIds.add(id);
        else if (outcome === "failed") refuted.add(id);
        else if (outcome !== "skipped") proofs.set(id, [...(proofs.get(id) ?? []), { title, file }]);
        if (outcome === "flaky" || outcome === "skipped") uncertainIds.add(id);
      }
    }
  }
  for (const id of refuted) proofs.delete(id);
  return {
    requirements,
    proofs,
    unknownIds: [...unknownIds].sort(),
    crowdedTitles: [...crowdedTitles].sort(),
    uncertainIds: [...uncertainIds].sort(),
  };
}

/** Faults in the claims themselves, one sentence each. */
export function faultsOfClaims({ unknownIds, crowdedTitles }: Coverage): string[] {
  return [
    ...(unknownIds.length > 0
      ? [`Tests claim requirements that do not exist: ${unknownIds.join(", ")}`]
      : []),
    ...crowdedTitles.map((title) => `A title may claim ${MOST_IDS} requirements at most: ${title}`),
  ];
}

/**
 * How the current proofs differ from a page that `renderCoverage` wrote, in sentences. Does not compare ids without a
 * certain result.
 */
export function differencesFrom(page: string, { proofs, uncertainIds }: Coverage): string[] {
  const recorded = new Set([...page.matchAll(/^\| ([A-Z]-\d{3}) \|/gm)].map(([, id = ""]) => id));
  const isCertain = (id: string) => !uncertainIds.includes(id);
  const lost = [...recorded].filter((id) => !proofs.has(id) && isCertain(id)).sort();
  const gained = [...proofs.keys()].filter((id) => !recorded.has(id) && isCertain(id)).sort();
  return [
    ...(lost.length > 0
      ? [`The coverage file has these, and no test proves them now: ${lost.join(" ")}`]
      : []),
    ...(gained.length > 0
      ? [`Tests prove these, and the coverage file does not have them: ${gained.join(" ")}`]
      : []),
  ];
}

/** The coverage as Markdown: a summary, every area with its proved rows, then the open ones. Deterministic. */
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
    "Written by `npm run coverage:spec` from the tests that passed last; do not edit. A run whose proved ids differ fails.",
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
    ...(open.length > 0 ? ["## Open", "", ...open, ""] : []),
  ].join("\n");
}

function provers(proofs: readonly Proof[]): string {
  const lines = proofs.map(
    ({ title, file }) => `${cell(title.replace(/^(\[[^\]]*\]\s*)+/, ""))} (\`${file}\`)`,
  );
  return [...new Set(lines)].sort().join("<br>");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
}
