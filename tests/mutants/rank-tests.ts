import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { importsOf } from "#tests/harness/import-graph.ts";
import { ROOT } from "#workers/commands/tools.ts";

const FOLDERS = ["app", "connectors", "core", "durable-objects", "tests", "workers"];

/**
 * Test files of a project that import one of the sources, nearest first: for each source up to `asked` of those with the
 * fewest imports in between, and none beyond `farthest`. Among equals, those in the same folder come first.
 */
export function rankTests(
  project: "unit" | "worker",
  sources: readonly string[],
  { asked, farthest }: { asked: number; farthest: number },
): string[] {
  const tests = listTests().filter((file) => isOf(project, file));
  const nearest = sources.flatMap((source) =>
    tests
      .map((test) => ({ test, distance: distanceOf(test, source) }))
      .filter(({ distance }) => distance <= farthest)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, asked)
      .map(({ test }) => test),
  );
  return [...new Set(nearest)];
}

/**
 * The distance of a test from a source: the number of imports, slightly less in the same folder, infinite without an
 * import.
 */
export const distanceOf = (test: string, source: string) =>
  (importsOf(test).get(source) ?? Number.POSITIVE_INFINITY) - (dirname(test) === dirname(source) ? 0.5 : 0);

const isOf = (project: "unit" | "worker", file: string) =>
  file.endsWith(".worker.test.ts") === (project === "worker");

let known: string[] | null = null;

function listTests(): string[] {
  known ??= FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ).filter((name) => /\.test\.tsx?$/.test(name));
  return known;
}
