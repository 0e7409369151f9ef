import { readId } from "../ids.ts";
import { invalid, type Refused } from "../refused.ts";

/** An object of a request, not yet read. */
export type Input = Record<string, unknown>;

/**
 * The refusal of a request body, in the words of the API: the place and what should stand there. The wording is from
 * public bug reports; no code may depend on it.
 */
export function unfit(place: string, should: string, instead?: unknown): Refused {
  const shown = instead === undefined ? "undefined" : `\`${JSON.stringify(instead)?.slice(0, 80)}\``;
  return invalid(`body failed validation: ${place} should be ${should}, instead was ${shown}.`);
}

/** Reads an object, of which only the named members may be there. Anything else is refused: no source allows it. */
export function readObject(value: unknown, place: string, members?: readonly string[]): Input {
  if (!isObject(value)) throw unfit(place, "an object", value);
  for (const name of Object.keys(value)) {
    if (members !== undefined && !members.includes(name) && value[name] !== undefined)
      throw unfit(`${place}.${name}`, "not present", value[name]);
  }
  return value;
}

/** Reads a list of at most so many elements. */
export function readList(value: unknown, place: string, most: number): unknown[] {
  if (!Array.isArray(value)) throw unfit(place, "an array", value);
  if (value.length > most) throw unfit(`${place}.length`, `≤ \`${most}\``, value.length);
  return value;
}

/** Reads a text of at most so many characters. */
export function readText(value: unknown, place: string, most: number): string {
  if (typeof value !== "string") throw unfit(place, "a string", value);
  if (value.length > most) throw unfit(`${place}.length`, `≤ \`${most}\``, value.length);
  return value;
}

export function readBoolean(value: unknown, place: string): boolean {
  if (typeof value !== "boolean") throw unfit(place, "a boolean", value);
  return value;
}

/** Reads an id in one of its two forms. */
export function readUuid(value: unknown, place: string): string {
  const id = typeof value === "string" ? readId(value) : null;
  if (id === null) throw unfit(place, "a valid uuid", value);
  return id;
}

/** Reads one of the allowed values. */
export function readOneOf<T extends string>(value: unknown, place: string, allowed: readonly T[]): T {
  if (!allowed.includes(value as T))
    throw unfit(place, allowed.map((each) => `\`"${each}"\``).join(" or "), value);
  return value as T;
}

/**
 * The type of an input: the member `type`, or the only member with the name of a type. The API does not ask for `type`
 * where another member tells it (types of `@notionhq/client`: it is optional everywhere).
 */
export function typeOf<T extends string>(input: Input, place: string, types: readonly T[]): T {
  const present = types.filter((type) => input[type] !== undefined);
  const said = input.type;
  if (said !== undefined && !types.includes(said as T))
    throw unfit(`${place}.type`, types.map((type) => `\`"${type}"\``).join(" or "), said);
  if (present.length !== 1 || (said !== undefined && said !== present[0]))
    throw unfit(place, `an object with one of ${types.join(", ")}`, input);
  return present[0] as T;
}

/** A web address as the API takes it. Longest: 2,000 characters [limits]. */
export function readUrl(value: unknown, place: string): string {
  const url = readText(value, place, 2_000);
  if (!URL.canParse(url)) throw unfit(place, "a valid URL", url);
  return url;
}

export function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
