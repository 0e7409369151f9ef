import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "#workers/commands/tools.ts";
import type { Mutant } from "./plant.ts";
import { distanceOf, rankTests } from "./rank-tests.ts";
import { type Outcome, openTestHost, type TestHost } from "./test-host.ts";
import { weaveMutants } from "./weave.ts";

export type PlantedMutant = Mutant & { id: number; file: string };

/**
 * `asked`: test files to run per source, at most so many imports away (`farthest`). `tried`: how many of those that reach
 * a mutant may try it. In workerd, the tests farther away load the whole product and hardly ever reach the source.
 */
const LIMITS = {
  unit: { asked: 12, farthest: 6, tried: 8 },
  worker: { asked: 8, farthest: 4, tried: 6 },
};

/** The mutants that no test of the project notices. Reports progress through `say`. */
export async function tryMutants(
  project: "unit" | "worker",
  mutants: readonly PlantedMutant[],
  say: (line: string) => void,
): Promise<PlantedMutant[]> {
  if (mutants.length === 0) return [];
  const woven = weaveAll(mutants);
  const host = await openTestHost(project, woven);
  try {
    const files = rankTests(project, [...woven.keys()], LIMITS[project]);
    const whole = await host.run(
      files.map((file) => ({ file, mutantId: null })),
      {},
    );
    for (const { file, complaint } of whole.filter((each) => !each.isGreen)) {
      say(`  left out, red without a mutant: ${file} (${complaint})`);
    }
    const green = whole.filter((each) => each.isGreen).sort((a, b) => a.durationMs - b.durationMs);
    say(`  ${project}: ${green.length} test files, ${mutants.length} mutants`);
    const maxCallsByFile = Object.fromEntries(green.map(({ file, calls }) => [file, 3 * calls + 5_000]));
    const trial = { host, green, woven, maxCallsByFile, tried: LIMITS[project].tried };
    const survivors = await tryInRounds(
      trial,
      mutants.filter((each) => !each.isStatic),
      say,
    );
    for (const mutant of mutants.filter((each) => each.isStatic)) {
      if (!(await isNoticedWhenLoaded(trial, mutant))) survivors.push(mutant);
    }
    return survivors;
  } finally {
    await host.close();
  }
}

function weaveAll(mutants: readonly PlantedMutant[]): Map<string, string> {
  const byFile = Map.groupBy(mutants, (each) => each.file);
  return new Map(
    [...byFile].map(([file, inside]) => [
      file,
      weaveMutants(
        readSource(file),
        inside.filter((each) => !each.isStatic),
      ),
    ]),
  );
}

const readSource = (file: string) => readFileSync(join(ROOT, file), "utf8");

type Trial = {
  host: TestHost;
  green: readonly Outcome[];
  woven: Map<string, string>;
  maxCallsByFile: Record<string, number>;
  tried: number;
};

/** In each round, every surviving mutant is tried with its next test file: the nearest first, then the fastest. */
async function tryInRounds(
  { host, green, maxCallsByFile, tried }: Trial,
  mutants: readonly PlantedMutant[],
  say: (line: string) => void,
): Promise<PlantedMutant[]> {
  const waiting = new Map(
    mutants.map(({ id, file }) => [
      id,
      nearestFirst(green, file, (each) => each.reached.includes(id), tried),
    ]),
  );
  const killed = new Set<number>();
  for (let round = 0; round < tried; round++) {
    const trials = [...waiting].flatMap(([mutantId, files]) =>
      killed.has(mutantId) ? [] : files.slice(round, round + 1).map(({ file }) => ({ file, mutantId })),
    );
    if (trials.length === 0) break;
    for (const outcome of await host.run(trials, maxCallsByFile))
      if (!outcome.isGreen) killed.add(outcome.mutantId!);
    say(`  round ${round + 1}: ${trials.length} tried, ${killed.size} killed so far`);
  }
  return mutants.filter(({ id }) => !killed.has(id));
}

/** Up to `count` test files that import the source, nearest first, then in the given order. */
function nearestFirst(
  fastest: readonly Outcome[],
  source: string,
  isWanted: (outcome: Outcome) => boolean,
  count: number,
): Outcome[] {
  const near = fastest.filter((each) => isWanted(each) && Number.isFinite(distanceOf(each.file, source)));
  return near.sort((a, b) => distanceOf(a.file, source) - distanceOf(b.file, source)).slice(0, count);
}

/** Code that runs at module load cannot be switched on later, so the mutant is written into the source. */
async function isNoticedWhenLoaded(
  { host, green, woven, tried }: Trial,
  mutant: PlantedMutant,
): Promise<boolean> {
  const { file, start, end, mutated } = mutant;
  const kept = woven.get(file)!;
  const source = readSource(file);
  const files = nearestFirst(green, file, () => true, tried).map((each) => each.file);
  woven.set(file, source.slice(0, start) + mutated + source.slice(end));
  host.reload(file);
  try {
    const trials = files.map((name) => ({ file: name, mutantId: mutant.id }));
    return (await host.run(trials, {})).some((each) => !each.isGreen);
  } finally {
    woven.set(file, kept);
    host.reload(file);
  }
}
