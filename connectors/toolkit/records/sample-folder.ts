import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { padId } from "./pad-id.ts";

/** A numbered thing and its folder, e.g. `issues/000000000007/`. */
export type NumberedThing = { number: number; folder: string };

/** Maximum number of things sampled for a plan: enough for an error of a few per cent, few enough for one request. */
export const MOST_SAMPLED = 60;
/** Sorts after the slash, so after all paths of a number and before the next number. */
const PAST = "0";
const DIGITS = "9876543210";
const GOLDEN_RATIO = 0.618_033_988_749_895;

/**
 * Returns up to `most` things of a numbered folder: all of them, or a sample spread evenly over the numbers. Skips
 * the content of the things, so their size does not matter.
 *
 * @param count The number of things in the folder, from the version's counts.
 */
export async function sampleFolder(
  snapshot: SnapshotView,
  { prefix, count, most = MOST_SAMPLED }: { prefix: string; count: number; most?: number },
): Promise<{ things: NumberedThing[]; isWhole: boolean }> {
  const things: NumberedThing[] = [];
  if (count === 0) return { things, isWhole: true };
  if (count <= most) {
    for (let at = await firstAfter(snapshot, prefix, ""); at !== null; ) {
      things.push(at);
      at = await firstAfter(snapshot, prefix, `${at.folder.slice(0, -1)}${PAST}`);
    }
    return { things, isWhole: true };
  }
  const lowest = (await firstAfter(snapshot, prefix, ""))?.number ?? 1;
  const highest = await highestNumber(snapshot, prefix);
  const found = new Map<number, NumberedThing>();
  for (let step = 0; step < most; step++) {
    // Not in equal steps: those would always or never hit periodic things, such as weekly issues.
    const within = (step * GOLDEN_RATIO) % 1;
    const number = lowest + Math.floor(((step + within) / most) * (highest + 1 - lowest));
    const thing = await firstAfter(snapshot, prefix, `${prefix}${padId(number)}`);
    if (thing !== null) found.set(thing.number, thing);
  }
  return { things: [...found.values()], isWhole: false };
}

/** The highest number of a numbered folder, 0 when it is empty. Finds it digit by digit, without listing the folder. */
export async function highestNumber(snapshot: SnapshotView, prefix: string): Promise<number> {
  let digits = "";
  while (digits.length < padId(0).length) {
    let next: string | null = null;
    for (const digit of DIGITS) {
      if ((await firstEntry(snapshot, `${prefix}${digits}${digit}`)) === null) continue;
      next = digit;
      break;
    }
    if (next === null) return 0;
    digits += next;
  }
  return Number(digits);
}

async function firstAfter(
  snapshot: SnapshotView,
  prefix: string,
  after: string,
): Promise<NumberedThing | null> {
  for await (const { path } of snapshot.list(prefix, after)) {
    const end = path.indexOf("/", prefix.length);
    const number = Number(path.slice(prefix.length, end < 0 ? undefined : end));
    if (end > 0 && Number.isSafeInteger(number)) return { number, folder: path.slice(0, end + 1) };
  }
  return null;
}

async function firstEntry(snapshot: SnapshotView, prefix: string): Promise<EntryInfo | null> {
  for await (const entry of snapshot.list(prefix)) return entry;
  return null;
}

/** Reads things with a few concurrent reads; returns the results in order. */
export async function readSome<T, R>(
  members: readonly T[],
  read: (member: T) => Promise<R>,
  atOnce = 6,
): Promise<R[]> {
  const answers: R[] = [];
  for (let from = 0; from < members.length; from += atOnce) {
    answers.push(...(await Promise.all(members.slice(from, from + atOnce).map(read))));
  }
  return answers;
}

/** The total size of the entries below a prefix. Extrapolates after `most` entries. */
export async function sumBytes(
  snapshot: SnapshotView,
  { prefix, kind, count, most = 2_000 }: { prefix: string; kind: string; count: number; most?: number },
): Promise<number> {
  let bytes = 0;
  let seen = 0;
  for await (const entry of count === 0 ? [] : snapshot.list(prefix)) {
    if (entry.kind !== kind) continue;
    bytes += entry.sizeBytes;
    seen += 1;
    if (seen === most) break;
  }
  return seen === 0 ? 0 : Math.round((bytes / seen) * count);
}
