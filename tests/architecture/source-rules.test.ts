import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Files below the folders whose name matches, relative to the root. */
function filesIn(folders: string[], ending: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .map((name) => path.join(folder, name))
      .filter((name) => ending.test(name)),
  );
}

const platformIds = readdirSync(path.join(ROOT, "connectors/platforms"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
  .map((entry) => entry.name);

const storageIds = readdirSync(path.join(ROOT, "connectors/storages")).map((name) =>
  name.replaceAll("-", "_"),
);

/** Every string literal of a source file that equals one of the words, with its line. */
function literalsOf(name: string, source: string, words: readonly string[]): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if ((ts.isStringLiteralLike(node) || ts.isJsxText(node)) && words.includes(node.text.trim())) {
      found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Statements that a migration must not contain: on D1, rebuilding a table silently deletes its children's rows. */
function dangersOf(sql: string): string[] {
  const dangers: [string, RegExp][] = [
    ["a table rebuild", /__new_/i],
    ["DROP TABLE", /\bdrop\s+table\b/i],
    ["DROP COLUMN", /\bdrop\s+column\b/i],
    ["ON DELETE CASCADE", /\bon\s+delete\s+cascade\b/i],
  ];
  return dangers.filter(([, pattern]) => pattern.test(sql)).map(([name]) => name);
}

test("no string outside a connector names a platform or storage", () => {
  const files = filesIn(["app", "core", "durable-objects", "workers"], /\.tsx?$/).filter(
    (name) => !/\.test\.tsx?$|^workers\/commands\/|^app\/copy\//.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((name) =>
    literalsOf(name, readFileSync(path.join(ROOT, name), "utf8"), [...platformIds, ...storageIds]),
  );
  expect(found).toEqual([]);
});

test("a planted platform name is detected, in code and in markup", () => {
  const source = 'const a = "alpha";\nconst b = <p title="alpha">not alpha alone</p>;\nconst c = `alpha`;';
  expect(literalsOf("planted.tsx", source, ["alpha"])).toHaveLength(3);
});

/** Tables that a migration may drop. It has moved their rows, no table refers to them, and a view has their name. */
const REPLACED_BY_VIEWS = new Map([
  ["migrations/ledger/0020_add_object_spans.sql", ["manifest_object"]],
  ["migrations/ledger/0027_number_items.sql", ["object_span", "manifest", "object"]],
]);

test("migrations only add: no table is rebuilt, dropped, or emptied", () => {
  const files = filesIn(["migrations"], /\.sql$/);
  expect(files.length).toBeGreaterThanOrEqual(2);
  const found = files.map((name) => {
    let sql = readFileSync(path.join(ROOT, name), "utf8");
    for (const table of REPLACED_BY_VIEWS.get(name) ?? []) {
      expect(sql).toMatch(new RegExp(`DROP TABLE \`${table}\`;[^]*CREATE VIEW ${table} AS`));
      sql = sql.replace(`DROP TABLE \`${table}\``, "");
    }
    return [name, dangersOf(sql)] as const;
  });
  expect(found.filter(([, dangers]) => dangers.length > 0)).toEqual([]);
});

test("a planted dangerous migration is detected", () => {
  expect(dangersOf("CREATE TABLE `__new_item` (id text);")).toEqual(["a table rebuild"]);
  expect(dangersOf("drop  table item;")).toEqual(["DROP TABLE"]);
  expect(dangersOf("ALTER TABLE item DROP COLUMN name;")).toEqual(["DROP COLUMN"]);
  expect(dangersOf("FOREIGN KEY (a) REFERENCES b(id) ON UPDATE no action ON DELETE cascade")).toEqual([
    "ON DELETE CASCADE",
  ]);
  expect(dangersOf("ALTER TABLE item ADD COLUMN note text; -- ON DELETE no action")).toEqual([]);
});

/** Calls that use the clock, randomness or network directly. A `fetch` that is a parameter is allowed. */
function reachesOut(name: string, source: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  let isHandedIn = false;
  const visit = (node: ts.Node) => {
    const isBinding = ts.isParameter(node) || ts.isBindingElement(node);
    if (isBinding && node.name.getText() === "fetch") isHandedIn = true;
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression.getText();
      const isEmptyDate = called === "Date" && (node.arguments?.length ?? 0) === 0;
      const isForbidden = ["Date.now", "Math.random", "crypto.randomUUID", "fetch", "globalThis.fetch"];
      if (isEmptyDate || isForbidden.includes(called)) {
        found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${called}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.filter((each) => !(isHandedIn && each.endsWith(" fetch")));
}

test("core reads no clock, creates no ids and opens no connections itself", () => {
  const files = filesIn(["core"], /\.tsx?$/).filter((name) => !/\.test\.tsx?$|^core\/kernel\//.test(name));
  const found = files.flatMap((name) => reachesOut(name, readFileSync(path.join(ROOT, name), "utf8")));
  expect(found).toEqual([]);
});

test("a planted clock read and request are detected, a passed-in fetch is not", () => {
  expect(reachesOut("a.ts", "const a = [Date.now(), new Date(), new Date(5), Math.random()];")).toHaveLength(
    3,
  );
  expect(reachesOut("a.ts", 'await fetch("https://example.com");')).toHaveLength(1);
  expect(reachesOut("a.ts", 'export const f = ({ fetch }) => fetch("https://example.com");')).toEqual([]);
});

test("a time limit leaves no timer behind when the work ends before it", () => {
  const files = filesIn(["app", "connectors", "core", "durable-objects", "workers"], /\.tsx?$/);
  const keepers = files.filter((name) => !/\.test\.tsx?$|\/simulator\/|^workers\/commands\//.test(name));
  const found = keepers.filter((name) =>
    /\bAbortSignal\.timeout\(/.test(readFileSync(path.join(ROOT, name), "utf8")),
  );
  expect(found, "call withinTime instead").toEqual([]);
});

/** Filters and searches, which belong into a URL. */
const FILTERS_AND_SEARCHES = "app/components/query-form.tsx";

test("every form but those of filters and searches is posted, so that no input ends up in a URL", () => {
  const files = filesIn(["app"], /\.tsx$/);
  const opened = files.flatMap((name) =>
    [...readFileSync(path.join(ROOT, name), "utf8").matchAll(/<form\b[^>]*/g)].map(([tag]) => [name, tag]),
  );
  expect(opened.length).toBeGreaterThan(10);
  expect(opened.filter(([, tag]) => !tag?.includes('method="post"')).map(([name]) => name)).toEqual([
    FILTERS_AND_SEARCHES,
  ]);
});

/** Calls that open a ledger neither for an organisation nor by the name of a shard: they would find the region's first. */
function strayLedgers(source: string): string[] {
  return [...source.matchAll(/\.ledger\(\s*([^(),]+?)\s*\)/g)]
    .filter(([, argument]) => argument !== "shard")
    .map(([call]) => call);
}

test("a ledger is opened for an organisation, or by the name of a shard", () => {
  const files = filesIn(["app", "core", "workers"], /\.tsx?$/).filter((name) => !/\.test\.tsx?$/.test(name));
  const found = files.flatMap((name) =>
    strayLedgers(readFileSync(path.join(ROOT, name), "utf8")).map((call) => `${name} ${call}`),
  );
  expect(found).toEqual([]);
});

test("a planted ledger of a region is detected", () => {
  const source =
    "s.ledger(region); s.ledger(shard); s.ledger(region, run.organisationId); s.ledger(\n  to.region,\n);";
  expect(strayLedgers(source)).toEqual([".ledger(region)"]);
});
