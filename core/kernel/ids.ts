import { randomBytes } from "./crypto.ts";
import { REGIONS, type Region } from "./platform-id.ts";

/** Prefix of every kind of id; a prefix makes an id readable in a log and impossible to mix up with another kind. */
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
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** An id whose kind the compiler knows: `Id<"item">` is never accepted where `Id<"run">` is asked. */
export type Id<K extends IdKind> = `${(typeof ID_PREFIXES)[K]}_${string}` & { readonly __kind?: K };

/** Makes ids; handed in so that tests can fix them. */
export interface IdSource {
  /** A fresh id with 128 random bits. */
  next<K extends IdKind>(kind: K): Id<K>;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Random ids: 26 characters of Crockford base 32, 130 bits. */
export const randomIds: IdSource = {
  next: (kind) => {
    let text = "";
    for (const byte of randomBytes(26)) text += ALPHABET[byte & 31];
    return `${ID_PREFIXES[kind]}_${text}` as Id<typeof kind>;
  },
};

const RANDOM_CHARACTERS = 26;
const REGION_LETTERS: Record<Region, string> = { US: "u", DE: "d", UK: "k", AP: "p" };

/** A fresh id of an item that tells its region, so that whoever has the id asks one ledger alone. */
export function itemIdIn(ids: IdSource, region: Region): Id<"item"> {
  const [prefix, random] = ids.next("item").split("_");
  return `${prefix}_${REGION_LETTERS[region]}${random}` as Id<"item">;
}

/** The region that an item's id tells; null for one that was made when ids told none, and for text that is no id. */
export function regionOfItem(id: string): Region | null {
  const random = id.slice(ID_PREFIXES.item.length + 1);
  if (!isId("item", id) || random.length <= RANDOM_CHARACTERS) return null;
  return REGIONS.find((region) => REGION_LETTERS[region] === random[0]) ?? null;
}

/** True when the text has the form of an id of that kind; what arrives from outside is checked with it before use. */
export function isId<K extends IdKind>(kind: K, text: unknown): text is Id<K> {
  return typeof text === "string" && new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-z]{1,40}$`).test(text);
}
