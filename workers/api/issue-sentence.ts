import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** User-facing names of the types. */
const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
/** The maximum number of allowed values that a sentence lists. */
const NAMED_VALUES = 12;
const LONGEST_NAME = 50;
/** Matches the library's technical messages. "Invalid email" is not matched, because users understand it. */
const LIBRARYS =
  /^(Invalid (input|option|string|number|key|element|value|email address)|Too (small|big)|Unrecognized)\b/;

/**
 * Describes in a sentence what is wrong with one part of a request. Keeps a schema's own message; replaces the
 * library's technical ones ("expected array, received undefined").
 *
 * @param path The part as the caller named it; empty = the request as a whole.
 */
export function issueSentence(issue: Issue, path: string): string {
  const isOwn = !LIBRARYS.test(issue.message);
  if (isOwn) return path === "" ? issue.message : `${path}: ${issue.message}`;
  return `${path === "" ? "The request" : path} ${verdictOf(issue)}.`;
}

function verdictOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.message.endsWith("received undefined")) return "is missing";
      return `must be ${KINDS[issue.expected] ?? "something else"}`;
    case "too_small":
      return boundOf(issue.origin, "at least", Number(issue.minimum));
    case "too_big":
      return boundOf(issue.origin, "at most", Number(issue.maximum));
    case "invalid_value": {
      const named = issue.values.slice(0, NAMED_VALUES).map(String).join(", ");
      return `must be ${issue.values.length > 1 ? "one of " : ""}${named}`;
    }
    case "unrecognized_keys":
      return `has a field that is not known: ${issue.keys[0]?.slice(0, LONGEST_NAME)}`;
    case "invalid_union":
      return verdictOfUnion(issue);
    case "invalid_format":
      return "does not have the form that is expected";
    default:
      return "is not allowed";
  }
}

/** What a value must be if it may have several forms: missing, or one of the types. */
function verdictOfUnion({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const firsts = errors.flatMap(([first]) => (first === undefined || first.path.length > 0 ? [] : [first]));
  const types = firsts.flatMap((first) => (first.code === "invalid_type" ? [first] : []));
  if (types.length < errors.length) return firsts.length === 1 ? verdictOf(firsts[0]!) : "is not allowed";
  if (types.some(({ message }) => message.endsWith("received undefined"))) return "is missing";
  return `must be ${[...new Set(types.map(({ expected }) => KINDS[expected] ?? "something else"))].join(" or ")}`;
}

function boundOf(origin: string, bound: "at least" | "at most", limit: number): string {
  if (origin === "string") return `must have ${bound} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array" || origin === "set")
    return `must have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `must be ${bound} ${limit}`;
}
