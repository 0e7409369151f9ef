import { AppError } from "#core/kernel/app-error.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import type { SnapshotReader } from "#core/vault/index.ts";
import { diffText } from "./diff-text.ts";
import type { RecordComparison } from "./views.ts";

const LARGEST_RECORD_BYTES = 4 * 1024 * 1024;
/** Texts up to this length are shown whole, because that is easier to read. */
const SHORT_TEXT = 80;
const LONGEST_VALUE = 2_000;
const MOST_FIELDS = 200;

type Words = Readonly<Record<string, { one: string; many: string }>>;
type Version = Pick<SnapshotReader, "find" | "readRecord">;

/**
 * How a record differs between two versions, field by field. Kinds that are not shown to people are not compared.
 *
 * @throws AppError `err.not.found`, `err.version.unreadable`
 */
export async function compareRecord(
  before: Version,
  after: Version,
  { path, words }: { path: string; words: Words },
): Promise<RecordComparison> {
  const [old, young] = [await before.find(path), await after.find(path)];
  const entry = young ?? old;
  if (entry?.type !== "record" || !Object.hasOwn(words, entry.kind)) throw new AppError("err.not.found");
  if (Math.max(old?.sizeBytes ?? 0, young?.sizeBytes ?? 0) > LARGEST_RECORD_BYTES)
    throw new AppError("err.version.unreadable");
  const left = old === null ? null : await before.readRecord(path);
  const right = young === null ? null : await after.readRecord(path);
  return {
    path,
    kind: entry.kind,
    title: entry.title?.trim() || path,
    change: old === null ? "added" : young === null ? "removed" : "changed",
    fields: diffFields(left, right),
  };
}

/** Fields whose values differ, by path in the record, e.g. `user.login`. */
export function diffFields(before: Json, after: Json): RecordComparison["fields"] {
  const old = flatten(before);
  const young = flatten(after);
  const names = [...new Set([...old.keys(), ...young.keys()])];
  return names
    .filter((name) => old.get(name) !== young.get(name))
    .slice(0, MOST_FIELDS)
    .map((name) => diffValue(name, old.get(name) ?? null, young.get(name) ?? null));
}

/** One value that differs. Long values are compared line by line. */
export function diffValue(
  name: string,
  before: string | null,
  after: string | null,
): RecordComparison["fields"][number] {
  const isLong = before !== null && after !== null && Math.max(before.length, after.length) > SHORT_TEXT;
  return {
    name,
    before: before?.slice(0, LONGEST_VALUE) ?? null,
    after: after?.slice(0, LONGEST_VALUE) ?? null,
    text: isLong ? diffText(before, after) : null,
  };
}

/** Plain values by path. A list is one value, because an index does not identify an element. */
function flatten(value: Json): Map<string, string> {
  const fields = new Map<string, string>();
  const visit = (at: Json, name: string, depth: number) => {
    if (typeof at === "object" && at !== null && !Array.isArray(at) && depth < 6) {
      for (const [key, member] of Object.entries(at))
        visit(member, name === "" ? key : `${name}.${key}`, depth + 1);
    } else if (at !== null) fields.set(name, typeof at === "string" ? at : canonicalJson(at));
  };
  visit(value, "", 0);
  return fields;
}
