import { expect } from "vitest";
import { type Coverage, fieldNames } from "#connectors/contract/coverage.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { MemorySnapshot } from "../memory-snapshot.ts";

/** The fields of a record, by their names in the platform's schema. */
export type Fields = { readonly [name: string]: Json | undefined };
/** An original, and what a restore made from it. */
export type Pair = { before: Fields; after: Fields };

/** How a field comes back that does not come back as an equal value, and why. */
export type OtherWay = { because: string; holds: (pair: Pair) => boolean };

/** Originals of one thing with their restored counterparts, which together have every field. */
export type RestoredThing = {
  pairs: readonly Pair[];
  ways?: Readonly<Record<string, OtherWay>>;
  /** A newly made thing. What it has as well proves nothing. */
  blank?: Fields;
  /** Reduces a value to what can be compared, e.g. a label to its name. */
  plain?: (value: Json, field: string) => unknown;
};

/**
 * Expects that every field which the page "What is covered" calls restored comes back: equal, or in a named way.
 * A field that no original has, a way that is not needed, and a thing that is forgotten fail, too.
 * @param apart things that cannot be compared here, and why
 */
export function expectRestored(
  coverage: Coverage,
  things: Readonly<Record<string, RestoredThing>>,
  apart: Readonly<Record<string, string>> = {},
): void {
  const restorable = coverage.filter(({ restored = "" }) => fieldNames(restored).length > 0);
  expect([...Object.keys(things), ...Object.keys(apart)].sort()).toEqual(
    restorable.map(({ name }) => name).sort(),
  );
  const faults = restorable.flatMap(({ name, restored = "" }) => {
    const thing = things[name];
    return thing === undefined
      ? []
      : faultsOf(thing, fieldNames(restored)).map((fault) => `${name}: ${fault}`);
  });
  expect(faults).toEqual([]);
}

function faultsOf(
  { pairs, ways = {}, blank = {}, plain = (value) => value }: RestoredThing,
  fields: string[],
) {
  const faults = Object.keys(ways)
    .filter((field) => !fields.includes(field))
    .map((field) => `${field} is not called restored`);
  const show = (value: Json | undefined, field: string) =>
    value === undefined ? "nothing" : JSON.stringify(plain(value, field));
  for (const field of fields) {
    const told = pairs.filter(({ before }) => isSaid(before[field]));
    if (!told.some(({ before }) => show(before[field], field) !== show(blank[field], field))) {
      faults.push(`${field}: no original has it`);
      continue;
    }
    const way = ways[field];
    const different = told.filter(
      ({ before, after }) => show(before[field], field) !== show(after[field], field),
    );
    if (way !== undefined && different.length === 0) faults.push(`${field}: comes back as it was`);
    const lost = way === undefined ? different[0] : told.find((pair) => !way.holds(pair));
    if (lost === undefined) continue;
    const text = "body" in lost.after ? ` of ${JSON.stringify(lost.after.body)}` : "";
    faults.push(
      `${field}: ${show(lost.before[field], field)} became ${show(lost.after[field], field)}${text}`,
    );
  }
  return faults;
}

function isSaid(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** All records of a kind in a version, in the order of their paths. */
export async function recordsOf(snapshot: MemorySnapshot, kind: string): Promise<Fields[]> {
  const paths = [...snapshot.entries.values()]
    .filter(({ info }) => info.kind === kind && info.type === "record")
    .map(({ info }) => info.path)
    .sort();
  return await Promise.all(paths.map(async (path) => (await snapshot.readRecord(path)) as Fields));
}

/** Pairs each original with the first restored thing that is its counterpart. @throws when there is none */
export function pairUp(
  originals: readonly Fields[],
  restored: readonly Fields[],
  isCounterpart: (before: Fields, after: Fields) => boolean,
): Pair[] {
  return originals.map((before) => {
    const after = restored.find((one) => isCounterpart(before, one));
    if (after === undefined) throw new Error(`nothing was made from ${JSON.stringify(before).slice(0, 500)}`);
    return { before, after };
  });
}
