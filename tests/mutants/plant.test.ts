import { expect, test } from "vitest";
import { plantMutants } from "./plant.ts";

const mutationsOf = (source: string) =>
  plantMutants("example.ts", source).map(({ original, mutated }) => [original, mutated]);
const inFunction = (body: string) => mutationsOf(`function f(a, b) { ${body} }`);

test.each<[string, [string, string][]]>([
  [
    "x = a < b",
    [
      ["a < b", "a <= b"],
      ["a < b", "a >= b"],
    ],
  ],
  ["x = a !== b", [["a !== b", "a === b"]]],
  ["x = a && b", [["a && b", "a || b"]]],
  ["x = a - b", [["a - b", "a + b"]]],
  ["x = a >>> b", [["a >>> b", "a << b"]]],
  ["x = a ?? b", [["a ?? b", "a"]]],
  ["x = !a", [["!a", "a"]]],
  ["x = 7", [["7", "8"]]],
  ["x = true", [["true", "false"]]],
  ['x = "word"', [['"word"', '""']]],
  ['x = ""', [['""', '"mutant"']]],
  ["x = a.filter(b)", [["a.filter(b)", "a"]]],
  ["x = a.some(b)", [["a.some(b)", "a.every(b)"]]],
  ["x = Math.min(a, b)", [["Math.min(a, b)", "Math.max(a, b)"]]],
  ["x = [...a]", [["a", "[]"]]],
  ["x = { ...a }", [["a", "{}"]]],
])("%s can be wrong", (source, expected) => {
  expect(inFunction(`const ${source};`)).toEqual(expected);
});

test("a condition becomes true and false, a statement and a throw are removed", () => {
  expect(inFunction("if (a) b();")).toEqual([
    ["a", "true"],
    ["a", "false"],
    ["b();", ""],
  ]);
  expect(inFunction("await a(b);")).toEqual([["await a(b);", ""]]);
  expect(inFunction("a.b = b;")).toEqual([["a.b = b;", ""]]);
  expect(inFunction("throw a;")).toEqual([["throw a;", ""]]);
});

test("a boolean result is inverted", () => {
  expect(mutationsOf("function f(a): boolean { return a.isIt(); }")).toEqual([["a.isIt()", "!(a.isIt())"]]);
});

test("a query changes an operator, or drops a condition, a column or its order", () => {
  expect(inFunction("x(and(eq(a, b), lt(a, b)));").slice(1)).toEqual([
    ["and(eq(a, b), lt(a, b))", "and(lt(a, b))"],
    ["and(eq(a, b), lt(a, b))", "and(eq(a, b))"],
    ["eq(a, b)", "ormForMutants.ne(a, b)"],
    ["lt(a, b)", "ormForMutants.lte(a, b)"],
  ]);
  expect(inFunction("return t.set({ a, b });")).toEqual([
    ["{ a, b }", "{ b }"],
    ["{ a, b }", "{ a }"],
  ]);
  expect(inFunction("return t.orderBy(a);")).toEqual([["t.orderBy(a)", "t"]]);
});

test("an SQL statement changes in one place at a time", () => {
  const changed = inFunction("return `UPDATE t SET a = ?1, b = 'x' WHERE c = ?2 AND d IS NULL`;");
  expect(changed.map(([, mutated]) => mutated)).toEqual([
    "`UPDATE t SET a = ?1, b = 'x' WHERE c <> ?2 AND d IS NULL`",
    "`UPDATE t SET a = ?1, b = 'x' WHERE c = ?2 OR d IS NULL`",
    "`UPDATE t SET a = ?1, b = 'x' WHERE c = ?2 AND d IS NOT NULL`",
    "`UPDATE t SET a = ?1, b = 'mutant' WHERE c = ?2 AND d IS NULL`",
    "`UPDATE t SET a = ?1 WHERE c = ?2 AND d IS NULL`",
  ]);
});

test.each([
  ['import { a } from "a";'],
  ['export { a } from "a";'],
  ["type A = { kind: 'a' | 'b'; size: 5 };"],
  ["const LIMIT_BYTES = 4 * 1024;"],
  ['function f(a) { invariant(a > 0, "it is positive"); }'],
  ['function f(log) { log.warn("it is late", 5); }'],
  ["function f(a) { for (let i = a; ; i += a) {} }"],
])("nothing is planted in %s", (source) => {
  expect(mutationsOf(source)).toEqual([]);
});

test("an error's message is not mutated, its kind is", () => {
  expect(inFunction('return new VaultError("damaged", "it is damaged");')).toEqual([['"damaged"', '""']]);
});

test("a mutant has its line, and whether it runs when the module is loaded", () => {
  const source = 'const a = "a";\nconst f = () => "b";';
  expect(plantMutants("example.ts", source)).toMatchObject([
    { line: 1, isStatic: true },
    { line: 2, isStatic: false },
  ]);
});
