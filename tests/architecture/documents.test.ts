import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { hostApps } from "#connectors/registry/host-apps.generated.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { storages } from "#connectors/registry/storages.generated.ts";
import { settingsSchema } from "#workers/env.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (name: string) => readFileSync(path.join(ROOT, name), "utf8");
const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "DECISIONS.md",
  "SECURITY.md",
  "docs/dependencies.md",
  "docs/live-check.md",
  "tests/README.md",
];

test("every dependency has a reason", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  const reasons = read("docs/dependencies.md");
  const explained = new Set([...reasons.matchAll(/^\| `([^`]+)`\s*\| \w/gm)].map((match) => match[1]));
  expect([...explained].sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort());
});

test("every decision has a unique number, a date and a status, and refers to existing decisions", () => {
  const entries = read("DECISIONS.md").split(/^## /m).slice(1);
  const numbers = entries.map((entry) => entry.match(/^(\d+)\. /)?.[1]);
  expect(numbers.length).toBeGreaterThan(0);
  expect([...new Set(numbers)]).toEqual(numbers);
  for (const entry of entries) {
    const [heading = "", , status = ""] = entry.split("\n");
    expect([heading, status]).toEqual([
      heading,
      expect.stringMatching(/^20\d\d-\d\d-\d\d · (accepted|amended by|superseded by|moved to)\b/),
    ]);
    const named = [...status.matchAll(/(?:by|,) (\d+)\b/g)].map((match) => match[1]);
    expect([heading, named.filter((number) => !numbers.includes(number))]).toEqual([heading, []]);
  }
});

test("every command in the documents exists", () => {
  const { scripts } = JSON.parse(read("package.json"));
  for (const name of DOCUMENTS) {
    const named = [...read(name).matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1] ?? "");
    expect([name, named.filter((script) => !(script in scripts))]).toEqual([name, []]);
  }
});

test("every linked file in the documents exists", () => {
  for (const name of DOCUMENTS) {
    const links = [...read(name).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1] ?? "");
    expect([name, links.filter((link) => !existsSync(path.join(ROOT, path.dirname(name), link)))]).toEqual([
      name,
      [],
    ]);
  }
});

test("the example of variables has exactly the settings", () => {
  const named = new Set(
    [...read(".dev.vars.example").matchAll(/^# ([A-Z0-9_]+)=/gm)].map((match) => match[1] ?? ""),
  );
  const ofConnectors = [...platforms, ...storages, ...hostApps].flatMap(({ configSchema }) =>
    Object.keys(configSchema.parse({})),
  );
  const settings = new Set(
    [...Object.keys(settingsSchema.shape), ...ofConnectors].filter((name) => name !== "DO_JURISDICTION"),
  );
  expect([...named].filter((name) => !settings.has(name))).toEqual([]);
  expect([...settings].filter((name) => !named.has(name))).toEqual([]);
});

test("[A-463] the decision log states that the specification's unexplained constants are unused", () => {
  expect(read("DECISIONS.md").replaceAll("\n", " ")).toContain(
    "The constants 1,000,000 and 2 of the specification stand without a use there, and nothing here uses them.",
  );
});
