/** R2 lists at most so many objects at once. */
const MOST_AT_ONCE = 1_000;

/** An object as a bucket holds it. `uploaded` is epoch ms. */
type Held = { size: number; uploaded: number };

/**
 * R2's `list` of objects in memory: in the order of their keys' UTF-8 bytes, page by page. A page that is not the last has
 * a cursor. What nothing here asks for (delimiters, metadata) is refused.
 *
 * @throws Error for an option that is not simulated, and for a limit that R2 refuses
 */
export function listObjects(held: ReadonlyMap<string, Held>, options: R2ListOptions = {}): R2Objects {
  const { prefix = "", startAfter = "", cursor, limit = MOST_AT_ONCE, ...others } = options;
  if (Object.values(others).some((value) => value !== undefined))
    throw new Error(`list: not simulated: ${Object.keys(others)}`);
  if (limit < 1 || limit > MOST_AT_ONCE)
    throw new Error("list: MaxKeys params must be positive integer <= 1000.");
  const after = Buffer.from(cursor === undefined ? startAfter : fromCursor(cursor));
  const found = [...held]
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, facts]) => ({ key, bytes: Buffer.from(key), ...facts }))
    .filter(({ bytes }) => Buffer.compare(bytes, after) > 0)
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes));
  const objects = found.slice(0, limit).map(({ key, size, uploaded }) => ({
    ...{ key, size, uploaded: new Date(uploaded) },
  }));
  const page = { objects: objects as unknown as R2Object[], delimitedPrefixes: [] };
  if (found.length <= limit) return { ...page, truncated: false };
  return { ...page, truncated: true, cursor: toCursor(objects.at(-1)!.key) };
}

const toCursor = (key: string) => Buffer.from(key).toString("base64");
const fromCursor = (cursor: string) => Buffer.from(cursor, "base64").toString();
