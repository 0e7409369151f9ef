import type { Json } from "#core/kernel/canonical-json.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";

/** How to name things by their records. Later records reference earlier ones. */
const NAMED: readonly (readonly [prefix: string, nameOf: (record: JsonObject) => string])[] = [
  ["board.json", () => "the board"],
  ["members/", ({ username }) => `member ${username}`],
  ["lists/", ({ name, pos }) => `list ${name} at ${pos}`],
  ["labels/", ({ name, color }) => `label ${name} ${color}`],
  ["custom-fields/", ({ name }) => `field ${name}`],
  ["cards/", ({ name, idList, pos }) => `card ${name} at ${pos} of ${idList}`],
];
type JsonObject = { [key: string]: Json };

/**
 * Compares two versions without their ids: replaces each id by a name for its thing.
 *
 * @returns the places where they differ, e.g. `card.attachments[].date`, sorted
 */
export async function differences(one: MemorySnapshot, other: MemorySnapshot): Promise<string[]> {
  const [a, b] = [await flatten(one), await flatten(other)];
  const places = new Set<string>();
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    if (a.get(key) !== b.get(key)) places.add(placeOf(key));
  }
  return [...places].sort();
}

function placeOf(key: string): string {
  const [kind = "", ...rest] = key.split("\u0000");
  return `${kind}${rest.at(-1) ?? ""}`.replace(/\[\d+\]/g, "[]");
}

async function flatten(snapshot: MemorySnapshot): Promise<Map<string, string>> {
  const names = await nameIds(snapshot);
  const flat = new Map<string, string>();
  const numbers = new Map<string, number>();
  for await (const { path, kind, type, hash, parent } of snapshot.list()) {
    if (kind === "state" || kind === "action") continue;
    const home = parent === undefined ? "" : (names.get(parent.split("/")[1] ?? "") ?? parent);
    const id = /([0-9a-f]{24})(\.json|\/card\.json)?$/.exec(path)?.[1] ?? "";
    const known = names.get(id) ?? home;
    // Comments and files are sorted by id, which is their order of creation.
    const number = numbers.get(`${kind} ${known}`) ?? 0;
    numbers.set(`${kind} ${known}`, number + 1);
    const stem = `${kind}\u0000${known} ${number}\u0000`;
    if (type === "stream") flat.set(`${stem}.bytes`, hash);
    else
      leaves(rename(await snapshot.readRecord(path), names), "", (key, value) => flat.set(stem + key, value));
  }
  return flat;
}

/** The name for each id. */
async function nameIds(snapshot: MemorySnapshot): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [prefix, nameOf] of NAMED) {
    for await (const { path, type } of snapshot.list(prefix)) {
      if (type !== "record") continue;
      const record = rename(await snapshot.readRecord(path), names) as JsonObject;
      names.set(String(record.id), nameOf(record));
      const listed = (value: Json | undefined) => (Array.isArray(value) ? (value as JsonObject[]) : []);
      for (const option of listed(record.options)) {
        names.set(String(option.id), `option ${(option.value as JsonObject).text}`);
      }
      for (const [index, file] of listed(record.attachments).entries()) {
        names.set(String(file.id), `file ${index}`);
      }
      for (const list of listed(record.checklists)) names.set(String(list.id), `checklist ${list.name}`);
    }
  }
  return names;
}

function rename(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((member) => rename(member, names));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rename(member, names)]));
}

function leaves(value: Json, key: string, put: (key: string, value: string) => void): void {
  if (value === null || typeof value !== "object") put(key, JSON.stringify(value));
  else if (Array.isArray(value)) {
    for (const [index, member] of inOrder(value).entries()) leaves(member, `${key}[${index}]`, put);
  } else for (const [name, member] of Object.entries(value)) leaves(member, `${key}.${name}`, put);
}

/** Sorts strings alphabetically and things by `pos`; things without `pos` keep their order. */
function inOrder(values: readonly Json[]): Json[] {
  if (values.every((value) => typeof value === "string")) return values.toSorted();
  return values.toSorted((one, other) => positionOf(one) - positionOf(other));
}

function positionOf(value: Json): number {
  const pos = value !== null && typeof value === "object" && !Array.isArray(value) ? value.pos : null;
  return typeof pos === "number" ? pos : 0;
}
