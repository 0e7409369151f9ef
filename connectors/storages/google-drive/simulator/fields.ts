/** A parsed `fields` parameter: names and their nested masks; `null` = everything inside. */
export type FieldMask = Map<string, FieldMask | null>;

/** Parses e.g. `files(id,name),nextPageToken`, `user/emailAddress` or `*`; null when it is malformed. */
export function parseFields(text: string): FieldMask | null {
  const reader = { text: text.replaceAll(/\s/g, ""), at: 0 };
  const mask = readList(reader);
  return mask === null || reader.at !== reader.text.length ? null : mask;
}

/** Picks the requested fields of a value; ignores missing ones. */
export function pickFields(value: unknown, mask: FieldMask | null): unknown {
  if (mask === null || mask.has("*")) return value;
  if (Array.isArray(value)) return value.map((each) => pickFields(each, mask));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([name]) => mask.has(name));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, pickFields(inner, mask.get(name) ?? null)]),
  );
}

type Reader = { text: string; at: number };

function readList(reader: Reader): FieldMask | null {
  const mask: FieldMask = new Map();
  for (;;) {
    if (!readField(reader, mask)) return null;
    if (reader.text[reader.at] !== ",") return mask;
    reader.at += 1;
  }
}

function readField(reader: Reader, mask: FieldMask): boolean {
  const name = /^(\*|[A-Za-z][A-Za-z0-9]*)/.exec(reader.text.slice(reader.at))?.[0];
  if (name === undefined) return false;
  reader.at += name.length;
  const sign = reader.text[reader.at];
  if (sign !== "/" && sign !== "(") {
    mask.set(name, null);
    return true;
  }
  reader.at += 1;
  const known = mask.get(name);
  const inner: FieldMask = known ?? new Map();
  if (sign === "/") {
    if (!readField(reader, inner)) return false;
  } else {
    const listed = readList(reader);
    if (listed === null || reader.text[reader.at] !== ")") return false;
    reader.at += 1;
    for (const [field, below] of listed) inner.set(field, below);
  }
  // A field that was requested as a whole stays whole.
  mask.set(name, known === null ? null : inner);
  return true;
}
