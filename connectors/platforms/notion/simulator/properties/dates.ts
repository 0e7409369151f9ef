import type { Fields } from "../state.ts";
import { readObject, readText, unfit } from "./read-input.ts";

/** A day, or a time with or without its distance from UTC. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** Reads a date of a request. Source: contract, `DateRequest`; the formats are ISO 8601 as in the recorded dates. */
export function readDate(value: unknown, place: string): Fields {
  const input = readObject(value, place, ["start", "end", "time_zone"]);
  const start = readMoment(input.start, `${place}.start`);
  const end = input.end === undefined || input.end === null ? null : readMoment(input.end, `${place}.end`);
  if (end !== null && DAY.test(start) !== DAY.test(end))
    throw unfit(`${place}.end`, "a date with a time like the start", end);
  const zone = input.time_zone;
  if (zone === undefined || zone === null) return { start, end, time_zone: null };
  const timeZone = readText(zone, `${place}.time_zone`, 100);
  // "When time_zone is provided, start and end should not include UTC offset" and "cannot be dates without time
  // information": the documentation of date property values.
  if (!isZone(timeZone) || DAY.test(start) || hasOffset(input.start) || hasOffset(input.end))
    throw unfit(`${place}.time_zone`, "a time zone for times without an offset", timeZone);
  return { start: start.replace("+00:00", ""), end: end?.replace("+00:00", "") ?? null, time_zone: timeZone };
}

function readMoment(value: unknown, place: string): string {
  const text = readText(value, place, 40);
  if (!(DAY.test(text) || TIME.test(text)) || Number.isNaN(Date.parse(text)))
    throw unfit(place, "a valid ISO 8601 date string", text);
  return DAY.test(text) ? text : withOffset(text);
}

/** Answers show a time with milliseconds and an offset. Source: recorded dates of the API's reference. */
function withOffset(text: string): string {
  const [, moment = "", seconds = ":00", fraction = ".000", zone = ""] =
    /^(.{16})(:\d{2})?(\.\d+)?(.*)$/.exec(text) ?? [];
  const offset = zone === "Z" || zone === "" ? "+00:00" : zone;
  return `${moment}${seconds}${fraction.padEnd(4, "0").slice(0, 4)}${offset}`;
}

function hasOffset(text: unknown): boolean {
  return typeof text === "string" && /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
