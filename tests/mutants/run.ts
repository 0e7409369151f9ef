/**
 * `npm run test:mutants`: plants small mistakes in the critical areas, one at a time, and checks whether the tests
 * notice. `--area core/vault` tries one area, `--seed N` the same mutants again, `--count N` more or fewer, `--only
 * file:line` every mutant of a line; `--goal 85` fails below that score. The work tree is never changed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "#workers/commands/tools.ts";
import { plantMutants } from "./plant.ts";
import { sampleMutants } from "./sample-mutants.ts";
import { type AreaScore, percentOf, readScores, renderScores } from "./score.ts";
import { showChange } from "./show-change.ts";
import { type PlantedMutant, tryMutants } from "./try-mutants.ts";

const AREAS = ["core/vault", "core/runs", "core/versions", "core/accounts", "connectors/toolkit/git"];
const USUAL_COUNT = 60;
const SCORES = join(ROOT, "tests/mutants/SCORE.md");

const { values } = parseArgs({
  options: {
    area: { type: "string", multiple: true },
    seed: { type: "string" },
    count: { type: "string", default: String(USUAL_COUNT) },
    only: { type: "string" },
    goal: { type: "string", default: "85" },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const count = Number(values.count);
const goal = Number(values.goal);

const scores: AreaScore[] = [];
for (const area of values.area ?? AREAS.filter((each) => values.only?.startsWith(each) ?? true)) {
  scores.push(await tryArea(area));
}
if (values.only === undefined && count === USUAL_COUNT) saveScores();
process.exit(scores.every((score) => percentOf(score) >= goal) ? 0 : 1);

async function tryArea(area: string): Promise<AreaScore> {
  const planted = plantArea(area);
  const chosen = values.only
    ? planted.filter((each) => `${each.file}:${each.line}` === values.only || each.file === values.only)
    : sampleMutants(planted, count, seed);
  console.log(`${area}: ${chosen.length} of ${planted.length} mutants, seed ${seed}`);
  // Mutants killed in Node are not tried in workerd, which is slower.
  const unnoticed = await tryMutants("unit", chosen, console.log);
  for (const mutant of unnoticed) console.log(`  not noticed in Node: ${tell(mutant)}`);
  const survivors = await tryMutants("worker", unnoticed, console.log);
  for (const mutant of survivors) console.log(`survived ${tell(mutant)}`);
  const score = {
    area,
    seed,
    planted: planted.length,
    tried: chosen.length,
    killed: chosen.length - survivors.length,
  };
  console.log(`${area}: ${percentOf(score)} % (${score.killed} of ${score.tried} killed)`);
  return score;
}

function tell({ file, line, original, mutated }: PlantedMutant): string {
  return `${file}:${line} ${showChange(original, mutated)}`;
}

function plantArea(area: string): PlantedMutant[] {
  const files = readdirSync(join(ROOT, area), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|(^|\/)test-[^/]+$/.test(name))
    .map((name) => join(area, name))
    .sort();
  return files
    .flatMap((file) =>
      plantMutants(file, readFileSync(join(ROOT, file), "utf8")).map((each) => ({ ...each, file })),
    )
    .map((mutant, id) => ({ ...mutant, id }));
}

/** Areas outside this run keep their previous score. */
function saveScores(): void {
  const before = existsSync(SCORES) ? readScores(readFileSync(SCORES, "utf8")) : [];
  const known = new Map([...before, ...scores].map((score) => [score.area, score]));
  writeFileSync(SCORES, renderScores(AREAS.flatMap((area) => known.get(area) ?? [])));
}
