import type { FieldRecord } from "../record-types.ts";
import { adfToText } from "./adf-text.ts";

/** Fields that hold seconds. */
const DURATIONS: ReadonlySet<string> = new Set(["timeestimate", "timeoriginalestimate", "timespent"]);

/** A field's value as people read it; null = empty, or of a form that only machines read. */
export function valueText(value: unknown, field: Pick<FieldRecord, "id" | "schema">): string | null {
  if (Array.isArray(value)) {
    const texts = value.flatMap((each) => valueText(each, field) ?? []);
    return texts.length === 0 ? null : texts.join(", ");
  }
  switch (typeof value) {
    case "string":
      return stringText(value, field);
    case "number":
      return DURATIONS.has(field.id) ? durationText(value) : String(value);
    case "boolean":
      return value ? "Yes" : "No";
    case "object":
      return value === null ? null : objectText(value as Record<string, unknown>);
    default:
      return null;
  }
}

/** Seconds as hours and minutes, which do not depend on a site's working day: `1h 30m`. */
export function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 ? `${hours}h` : "", rest > 0 || hours === 0 ? `${rest}m` : ""].filter(Boolean).join(" ");
}

/** A moment of the API, e.g. `2026-11-20T14:05:00.000+0000`, as `2026-11-20 14:05 UTC`; other text stays. */
export function momentText(text: string): string {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return text;
  const moment = new Date(at).toISOString();
  return `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`;
}

function stringText(value: string, { schema }: Pick<FieldRecord, "schema">): string | null {
  if (value.trim() === "") return null;
  // Fields of apps (type `any`) hold JSON for their own screens.
  if (schema?.type === "any" && /^[{[]/.test(value)) return null;
  return schema?.type === "datetime" ? momentText(value) : value;
}

/** An option, person, version, request type or document. A cascading option has a `child`. */
function objectText(value: Record<string, unknown>): string | null {
  if (value.type === "doc") return adfToText(value) || null;
  const { child } = value;
  const name = ["displayName", "value", "name", "title", "label", "key"]
    .map((key) => value[key])
    .find((text) => typeof text === "string" && text !== "");
  if (typeof name !== "string")
    return value.requestType ? objectText(value.requestType as typeof value) : null;
  const more = typeof child === "object" && child !== null ? objectText(child as typeof value) : null;
  return more === null ? name : `${name} / ${more}`;
}
