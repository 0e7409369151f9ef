import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { unusedServices } from "./unused-services.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const ROOMS = ["app/**/*.server.ts", "core/**/*.ts", "durable-objects/**/*.ts", "workers/**/*.ts"];

/** Services, and functions that take some of them, for the planted mistakes. */
const PLANTED = [
  {
    name: "core/services.ts",
    text: `export type CoreServices = { clock: Clock; ids: IdSource; queue: JobQueue; live: Live; sleep: Sleep };
      export type Uses<K extends keyof CoreServices> = Pick<CoreServices, K>;
      export type RunServices = Uses<"clock" | "queue">;`,
  },
  {
    name: "core/runs/run.ts",
    text: `import type { RunServices, Uses } from "#core/services.ts";
      export function runAll(s: RunServices) { return send(s, s.clock.now()); }
      const send = (s: Uses<"queue">, at: number) => s.queue.send([at]);`,
  },
];

const plant = (text: string) =>
  unusedServices([
    ...PLANTED,
    {
      name: "core/area/planted.ts",
      text: `import { runAll } from "#core/runs/index.ts";
        import type { CoreServices, RunServices, Uses } from "#core/services.ts";
        ${text}`,
    },
  ]).map((found) => found.replace("core/area/planted.ts ", ""));

test("a function takes the services that it uses, not others", () => {
  const listed = execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", ...ROOMS.map((each) => `:(glob)${each}`)],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  const names = listed.split("\n").filter((name) => name !== "" && !name.endsWith(".test.ts"));
  expect(names.length).toBeGreaterThan(300);
  expect(
    unusedServices(names.map((name) => ({ name, text: readFileSync(path.join(ROOT, name), "utf8") }))),
  ).toEqual([]);
});

test("a planted function that takes a service without using it is found", () => {
  expect(plant(`export const now = (s: Uses<"clock" | "queue">) => s.clock.now();`)).toEqual(["now: queue"]);
  expect(plant(`export function now(s: CoreServices) { return s.clock.now(); }`)).toEqual([
    "now: ids, queue, live, sleep",
  ]);
  expect(plant(`export function now({ clock }: RunServices) { return clock.now(); }`)).toEqual([
    "now: queue",
  ]);
  expect(plant(`function all(s: RunServices & Uses<"ids">) { return runAll(s); }`)).toEqual(["all: ids"]);
  expect(
    plant(`function all(s: RunServices & Uses<"ids">) { return runAll({ ...s, queue: null }); }`),
  ).toEqual(["all: queue, ids"]);
  expect(plant(`function again(s: Uses<"clock" | "ids">) { s.ids.next(); again(s); }`)).toEqual([
    "again: clock",
  ]);
});

test("what a function passes on, reads by name, or uses in a way that syntax does not show counts as used", () => {
  expect(plant(`export function all(s: RunServices) { return runAll(s); }`)).toEqual([]);
  expect(
    plant(`function all(s: RunServices) { const { clock, queue } = s; return [clock, queue]; }`),
  ).toEqual([]);
  expect(plant(`function all(s: RunServices, each: (s: RunServices) => void) { each(s); }`)).toEqual([]);
  expect(plant(`function all(s: CoreServices) { runAll(s); s.ids.next(); s.live.tell(); }`)).toEqual([]);
});
