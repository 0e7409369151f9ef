import { randomBytes } from "./crypto.ts";
import { REGIONS, type Region } from "./platform-id.ts";

/** Prefix of each kind of id. Prefixes make ids readable in logs and keep kinds from being mixed up. */
export const ID_PREFIXES = {
  user: "usr",
  session: "ses",
  organisation: "org",
  member: "mem",
  connection: "con",
  place: "plc",
  item: "itm",
  run: "run",
  snapshot: "snp",
  object: "obj",
  state: "sta",
  export: "exp",
  mail: "mai",
  subscription: "sub",
  authorisation: "aut",
  invitation: "inv",
  audit: "aud",
  avatar: "ava",
  contact: "cnt",
  alarm: "alm",
  storage: "stg",
  request: "req",
  command: "cmd",
  removal: "rmv",
  closure: "cls",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** An id with its kind in the type: `Id<"item">` is not assignable to `Id<"run">`. */
export type Id<K extends IdKind> = `${(typeof ID_PREFIXES)[K]}_${string}` & { readonly __kind?: K };

/** Creates ids. Injected so that tests can fix them. */
export interface IdSource {
  /** Returns a new id; `randomIds` gives it 80 random bits. */
  next<K extends IdKind>(kind: K): Id<K>;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const RANDOM_CHARACTERS = 16;
/** How many ids of earlier releases have. */
const EARLIER_CHARACTERS = 26;

/**
 * Random ids: 16 characters of Crockford base 32, 80 bits. Most bytes of a ledger are ids in rows and indexes. Among 10
 * billion of one kind, two are equal with a probability of 1 in 24,000; a ledger is full at a hundredth of that. They name
 * things and are no secrets.
 */
export const randomIds: IdSource = {
  next: (kind) => {
    let text = "";
    for (const byte of randomBytes(RANDOM_CHARACTERS)) text += ALPHABET[byte & 31];
    return `${ID_PREFIXES[kind]}_${text}` as Id<typeof kind>;
  },
};

const REGION_LETTERS: Record<Region, string> = { US: "u", DE: "d", UK: "k", AP: "p" };

/** Returns a new item id that names its region, so a look-up queries one ledger only. */
export function itemIdIn(ids: IdSource, region: Region): Id<"item"> {
  const [prefix, random] = ids.next("item").split("_");
  return `${prefix}_${REGION_LETTERS[region]}${random}` as Id<"item">;
}

/** Returns the region in an item id. Null for an older id without a region, and for a string that is not an item id. */
export function regionOfItem(id: string): Region | null {
  const random = id.slice(ID_PREFIXES.item.length + 1);
  const hasRegion = random.length === RANDOM_CHARACTERS + 1 || random.length === EARLIER_CHARACTERS + 1;
  if (!isId("item", id) || !hasRegion) return null;
  return REGIONS.find((region) => REGION_LETTERS[region] === random[0]) ?? null;
}

/** True when the string has the form of an id of that kind. Check ids from outside with it before use. */
export function isId<K extends IdKind>(kind: K, text: unknown): text is Id<K> {
  return typeof text === "string" && new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-z]{1,40}$`).test(text);
}
