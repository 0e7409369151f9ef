import { randomBytes } from "./crypto.ts";

/** Prefix of every kind of id; a prefix makes an id readable in a log and impossible to mix up with another kind. */
export const ID_PREFIXES = {
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

/** True when the text has the form of an id of that kind; what arrives from outside is checked with it before use. */
export function isId<K extends IdKind>(kind: K, text: unknown): text is Id<K> {
  return typeof text === "string" && new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-z]{1,40}$`).test(text);
}
