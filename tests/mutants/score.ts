/** The result of one area. */
export type AreaScore = { area: string; seed: number; planted: number; tried: number; killed: number };

/** The score in per cent, rounded down, so that rounding never reaches a goal. */
export const percentOf = (score: Pick<AreaScore, "tried" | "killed">) =>
  score.tried === 0 ? 100 : Math.floor((100 * score.killed) / score.tried);

/** The scores as a Markdown table, as `tests/mutants/SCORE.md` holds it. */
export function renderScores(scores: readonly AreaScore[]): string {
  const all = {
    tried: scores.reduce((sum, each) => sum + each.tried, 0),
    killed: scores.reduce((sum, each) => sum + each.killed, 0),
  };
  const row = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    "<!-- Written by `npm run test:mutants`. -->",
    "",
    "A mutant is tried by test files that import its source, through at most a few other files, and that pass its place:",
    "of Node up to 8 of the nearest, then of workerd up to 6. The score is therefore a lower bound.",
    "",
    row(["Area", "Possible", "Tried", "Killed", "Survived", "Score", "Seed"]),
    row(["---", "---:", "---:", "---:", "---:", "---:", "---:"]),
    ...scores.map((each) =>
      row([
        `\`${each.area}\``,
        each.planted,
        each.tried,
        each.killed,
        each.tried - each.killed,
        `${percentOf(each)} %`,
        each.seed,
      ]),
    ),
    row(["all", "", all.tried, all.killed, all.tried - all.killed, `${percentOf(all)} %`, ""]),
    "",
  ].join("\n");
}

/** Reads the scores of an earlier run by area, so that one area can be tried alone. */
export function readScores(text: string): AreaScore[] {
  const rows = text.matchAll(
    /^\| *`([^`]+)` *\| *(\d+) *\| *(\d+) *\| *(\d+) *\| *\d+ *\| *\d+ % *\| *(\d+) *\|$/gm,
  );
  return [...rows].map(([, area, planted, tried, killed, seed]) => ({
    area: area!,
    planted: Number(planted),
    tried: Number(tried),
    killed: Number(killed),
    seed: Number(seed),
  }));
}
