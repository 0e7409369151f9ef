import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { padId } from "./pad-id.ts";

/** Things of a folder of numbered things: `issues/000000000007/`, with what lies in each. */
export type NumberedThing = { number: number; folder: string };

/** Things looked at for a plan at most: enough to be within a few per cent, few enough for one request. */
export const MOST_SAMPLED = 60;
/** Behind every path that begins with a number and a slash, and before the next number. */
const PAST = "0";
const DIGITS = "9876543210";
const GOLDEN_RATIO = 0.618_033_988_749_895;

/**
 * Up to `most` things of a numbered folder: all of them when there are no more, else some spread evenly over the numbers.
 * Whatever lies inside the things is stepped over, so the size of a discussion costs nothing.
 *
 * @param count How many things the folder holds, as the version's counts tell.
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
  const highest = await highestNumber(snapshot, prefix);
  const found = new Map<number, NumberedThing>();
  for (let step = 0; step < most; step++) {
    // Not in equal steps: what repeats itself, as weekly issues do, would be met always or never.
    const within = (step * GOLDEN_RATIO) % 1;
    const number = 1 + Math.floor(((step + within) / most) * highest);
    const thing = await firstAfter(snapshot, prefix, `${prefix}${padId(number)}`);
    if (thing !== null) found.set(thing.number, thing);
  }
  return { things: [...found.values()], isWhole: false };
}

/** The highest number of a numbered folder, 0 when it is empty: found digit by digit, without reading through it. */
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

/** Reads several things at once, a few at a time, in their order. */
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

/** Sum of the sizes of entries below a prefix; past `most` entries the rest is taken to be like those. */
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
