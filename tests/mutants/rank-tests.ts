import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "#workers/commands/tools.ts";
import { importsOf } from "./import-graph.ts";

const FOLDERS = ["app", "connectors", "core", "durable-objects", "tests", "workers"];

/**
 * Test files of a project (of both when null) that import one of the sources, the nearest first: for each source
 * those with the fewest imports between, and of equals those of the same folder.
 */
export function rankTests(
  project: "unit" | "worker" | null,
  sources: readonly string[],
  limit: number,
): string[] {
  const tests = listTests().filter((file) => project === null || isOf(project, file));
  const nearest = sources.flatMap((source) => {
    const distance = (test: string) =>
      (importsOf(test).get(source) ?? Number.POSITIVE_INFINITY) -
      (dirname(test) === dirname(source) ? 0.5 : 0);
    return tests
      .map((test) => ({ test, distance: distance(test) }))
      .filter((each) => each.distance < Number.POSITIVE_INFINITY)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, limit)
      .map(({ test }) => test);
  });
  return [...new Set(nearest)];
}

const isOf = (project: "unit" | "worker", file: string) =>
  file.endsWith(".worker.test.ts") === (project === "worker");

let known: string[] | null = null;

function listTests(): string[] {
  known ??= FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ).filter((name) => /\.test\.tsx?$/.test(name));
  return known;
}
