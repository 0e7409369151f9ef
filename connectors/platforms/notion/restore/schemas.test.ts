import { expect, test } from "vitest";
import type { StoredSource } from "../records.ts";
import {
  computedSteps,
  firstSchema,
  idPrefix,
  namedExpression,
  relationSteps,
  unknownProperties,
} from "./schemas.ts";

type Config = { type: string; [key: string]: unknown };

/** A data source with properties by name; a property's id is its name in lower case. */
function source(id: string, properties: Record<string, Config>): StoredSource {
  const stored = Object.entries(properties).map(([name, config]) => [
    name,
    { id: name.toLowerCase(), name, description: null, ...config },
  ]);
  return {
    object: "data_source",
    id,
    title: [],
    properties: Object.fromEntries(stored),
  } as unknown as StoredSource;
}

const relation = (target: string, partner: string | null): Config => ({
  type: "relation",
  relation: {
    data_source_id: target,
    ...(partner === null
      ? { type: "single_property", single_property: {} }
      : {
          type: "dual_property",
          dual_property: { synced_property_id: partner.toLowerCase(), synced_property_name: partner },
        }),
  },
});
const rollup = (via: string, of: string): Config => ({
  type: "rollup",
  rollup: { function: "sum", relation_property_name: via, rollup_property_name: of },
});
const formula = (expression: string): Config => ({ type: "formula", formula: { expression } });

test("a relation in both directions is made once and names its partner", () => {
  const lorries = source("lorries", { Depot: relation("depots", "Lorries") });
  const depots = source("depots", { Lorries: relation("lorries", "Depot") });
  expect(relationSteps([lorries, depots])).toEqual([
    { sourceId: "lorries", name: "Depot", description: null, targetId: "depots", partner: "Lorries" },
  ]);
});

test("a table related to itself has one step for a pair, and one for each property alone", () => {
  const tasks = source("tasks", {
    Parent: relation("tasks", "Child"),
    Child: relation("tasks", "Parent"),
    Blocks: relation("tasks", null),
  });
  expect(relationSteps([tasks]).map(({ name, partner }) => [name, partner])).toEqual([
    ["Parent", "Child"],
    ["Blocks", null],
  ]);
});

test("a relation to a table outside the restore has no partner there", () => {
  const lorries = source("lorries", { Depot: relation("elsewhere", "Lorries") });
  expect(relationSteps([lorries])).toMatchObject([{ targetId: "elsewhere", partner: null }]);
});

test("rollups and formulas follow what they compute with, also across tables", () => {
  const lorries = source("lorries", {
    Total: formula('prop("Bays there") + prop("Twice")'),
    "Bays there": rollup("Depot", "Bays squared"),
    Twice: formula('prop("Km") * 2'),
    Km: { type: "number" },
    Depot: relation("depots", "Lorries"),
  });
  const depots = source("depots", {
    Lorries: relation("lorries", "Depot"),
    "Bays squared": formula('prop("Bays") ^ 2'),
    Bays: { type: "number" },
  });
  const order = computedSteps([lorries, depots]).map(({ name }) => name);
  expect(order).toHaveLength(4);
  for (const [first, then] of [
    ["Bays squared", "Bays there"],
    ["Bays there", "Total"],
    ["Twice", "Total"],
  ] as const) {
    expect(order.indexOf(first), `${first} before ${then}`).toBeLessThan(order.indexOf(then));
  }
});

test("formulas that name each other in a circle still end", () => {
  const odd = source("odd", { A: formula('prop("B")'), B: formula('prop("A")') });
  expect(computedSteps([odd])).toHaveLength(2);
});

test("a formula that names properties by id names them by their names", () => {
  const own = source("own", { "Unit price": { type: "number" } });
  own.properties["Unit price"]!.id = "a%3Ab";
  const token = "{{notion:block_property:a%3Ab:00000000-0000-0000-0000-000000000000:space}}";
  expect(namedExpression(`${token} / 2 + ${token}`, own)).toBe('prop("Unit price") / 2 + prop("Unit price")');
  const unknown = "{{notion:block_property:zzzz:x:y}} + {{notion:block_property:";
  expect(namedExpression(unknown, own)).toBe(unknown);
});

test("a table is made with everything but relations, rollups and formulas", () => {
  const own = source("own", {
    Name: { type: "title", title: {} },
    Class: {
      type: "select",
      select: { options: [{ id: "1", name: "Box", color: "red", description: null }] },
    },
    Number: { type: "unique_id", unique_id: { prefix: "MF" } },
    Depot: relation("own", null),
    Cost: formula("1"),
    Strange: { type: "hologram", hologram: {} },
  });
  expect(firstSchema(own)).toEqual({
    Name: { title: {} },
    Class: { select: { options: [{ name: "Box", color: "red" }] } },
    Number: { unique_id: {} },
  });
  expect(unknownProperties(own)).toEqual(["Strange"]);
  expect(idPrefix(own)).toEqual({ name: "Number", prefix: "MF" });
});
