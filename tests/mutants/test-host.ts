import path from "node:path";
import type { Plugin } from "vite";
import { createVitest, type TestModule } from "vitest/node";
import { ROOT } from "#workers/commands/tools.ts";
import configuration from "../../vitest.config.ts";

/** A test file to run with one mutant active, or with none. */
export type Trial = { file: string; mutantId: number | null };

/** The result of running one test file. */
export type Outcome = Trial & {
  isGreen: boolean;
  /** The failure message. */
  complaint: string;
  durationMs: number;
  reached: number[];
  calls: number;
};

export type TestHost = {
  run(trials: readonly Trial[], maxCallsByFile: Readonly<Record<string, number>>): Promise<Outcome[]>;
  /** Reloads a file that has changed in `woven`. */
  reload(file: string): void;
  close(): Promise<void>;
};

/**
 * The product's own tests of one project, run repeatedly with woven sources in place of the real ones. `woven` holds
 * source text by path relative to the root. One run tries many mutants, because the runner treats the same file with
 * another query as another file.
 */
export async function openTestHost(
  name: "unit" | "worker",
  woven: ReadonlyMap<string, string>,
): Promise<TestHost> {
  const vitest = await createVitest(
    "test",
    { root: ROOT, config: false, watch: false, project: name, cache: false, reporters: [{}] },
    { test: { ...configuration.test, projects: weaveProjects(woven) } },
  );
  const project = vitest.projects.find((each) => each.name === name)!;
  return {
    run: async (trials, maxCallsByFile) => {
      const limits = Object.entries(maxCallsByFile).map(([file, calls]) => [path.join(ROOT, file), calls]);
      project.provide("maxCallsByFile", Object.fromEntries(limits));
      const { testModules } = await vitest.runTestSpecifications(
        trials.map(({ file, mutantId }) =>
          project.createSpecification(
            path.join(ROOT, mutantId === null ? file : `${file}?mutant=${mutantId}`),
          ),
        ),
      );
      // The runner sets a failing exit code, but here failing tests are expected.
      process.exitCode = 0;
      return testModules.map(outcomeOf);
    },
    reload: (file) => vitest.invalidateFile(path.join(ROOT, file)),
    close: () => vitest.close(),
  };
}

const relative = (file: string) => path.relative(ROOT, file);

function weaveProjects(woven: ReadonlyMap<string, string>) {
  const plugin: Plugin = {
    name: "woven-mutants",
    enforce: "pre",
    load: (id) => woven.get(relative(id.split("?")[0]!)) ?? null,
  };
  return configuration.test!.projects!.map((project) => {
    if (typeof project !== "object" || !("test" in project)) throw new Error("every project is written out");
    const setupFiles = [
      path.join(import.meta.dirname, "switch.ts"),
      ...[project.test?.setupFiles ?? []].flat(),
    ];
    const patience = { testTimeout: 60_000, hookTimeout: 60_000 };
    return {
      ...project,
      plugins: [plugin, ...(project.plugins ?? [])],
      // Starting a process takes longer than the tests of most files.
      test: { ...project.test, ...patience, isolate: false, setupFiles },
    };
  });
}

function outcomeOf(module: TestModule): Outcome {
  const [file, mutantId] = relative(module.moduleId).split("?mutant=") as [string, string?];
  const marks = [...module.children.allTests()].map((test) => test.meta().mutants);
  const { reached, calls } = marks.findLast((mark) => mark !== undefined) ?? { reached: [], calls: 0 };
  const { duration, setupDuration, collectDuration } = module.diagnostic();
  return {
    file,
    mutantId: mutantId === undefined ? null : Number(mutantId),
    isGreen: module.state() === "passed",
    complaint: complaintOf(module),
    durationMs: duration + setupDuration + collectDuration,
    reached,
    calls,
  };
}

function complaintOf(module: TestModule): string {
  const failed = [...module.children.allTests("failed")].map(
    (test) => `${test.name}: ${test.result().errors?.[0]?.message}`,
  );
  return [...failed, ...module.errors().map(({ message }) => message)].join("; ");
}
