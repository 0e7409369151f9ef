import type { Json } from "#core/kernel/canonical-json.ts";
import { renderValues } from "../properties/render-values.ts";
import { findProperty } from "../properties/schema.ts";
import { invalid } from "../refused.ts";
import { plainText } from "../render.ts";
import type { DataSource, Fields, NotionWorld, Page } from "../state.ts";
import { wholeMinute } from "../store.ts";

/** A row, or in a wiki a data source. */
export type Entry = Page | DataSource;
type Row = { world: NotionWorld; source: DataSource; row: Entry };

/** Whether an entry of a table is a page. */
export const isRow = (entry: Entry): entry is Page => "values" in entry;

/**
 * Whether a row fits a filter of the query. Conditions that nobody here uses are refused. Source: contract,
 * `PropertyFilter` and `TimestampFilter`; groups nest to two levels, as deep as its types do.
 * @throws Refused
 */
export function rowFits(at: Row, filter: Fields, depth = 0): boolean {
  for (const [name, joins] of [
    ["and", "every"],
    ["or", "some"],
  ] as const) {
    const group = filter[name];
    if (group === undefined) continue;
    if (!Array.isArray(group) || depth > 1) throw invalid(`body failed validation: filter.${name} is wrong.`);
    const fits = group.map((each) => rowFits(at, each as Fields, depth + 1));
    return joins === "every" ? fits.every(Boolean) : fits.some(Boolean);
  }
  if (typeof filter.timestamp === "string") return timestampFits(at.row, filter);
  return propertyFits(at, filter);
}

function timestampFits(row: Entry, filter: Fields): boolean {
  const name = String(filter.timestamp);
  if (name !== "created_time" && name !== "last_edited_time")
    throw invalid(`body failed validation: filter.timestamp should not be ${name}.`);
  // Whole minutes, as the answers show them: a bound that an answer gave is one that its row meets.
  const at = name === "created_time" ? row.createdAt : row.editedAt;
  return dateFits(wholeMinute(at), conditionOf(filter, name));
}

function propertyFits({ world, source, row }: Row, filter: Fields): boolean {
  const property = findProperty(source, String(filter.property));
  if (property === null) throw invalid(`Could not find property with name or id: ${String(filter.property)}`);
  const { name, type } = property;
  const condition = conditionOf(filter, type);
  // A data source in a wiki has none of its properties: unproven.
  if (!isRow(row)) return false;
  const value = (renderValues(world, row)[name] as Fields)[type] ?? null;
  switch (type) {
    case "title":
    case "rich_text":
      return textFits(plainText(value), condition);
    case "url":
    case "email":
    case "phone_number":
      return textFits(String(value ?? ""), condition);
    case "number":
      return numberFits(value as number | null, condition);
    case "unique_id":
      return numberFits((value as Fields).number as number | null, condition);
    case "checkbox":
      return condition[0] === "equals" ? value === condition[1] : value !== condition[1];
    case "select":
    case "status":
      return textFits(String((value as Fields | null)?.name ?? ""), condition);
    case "multi_select":
      return listFits(
        (value as Fields[]).map((each) => String(each.name)),
        condition,
      );
    case "people":
    case "relation":
    case "files":
      return listFits(
        (value as Fields[]).map((each) => String(each.id ?? each.name)),
        condition,
      );
    case "date":
      return dateFits(Date.parse(String((value as Fields | null)?.start ?? "")), condition);
    case "created_time":
    case "last_edited_time":
      return dateFits(Date.parse(String(value)), condition);
    default:
      throw invalid(`body failed validation: filter.${type} should be not present.`);
  }
}

type Condition = [name: string, wanted: Json];

function conditionOf(filter: Fields, type: string): Condition {
  const [only, ...more] = Object.entries((filter[type] ?? {}) as Fields);
  if (only === undefined || more.length > 0)
    throw invalid(`body failed validation: filter.${type} should have one condition.`);
  return only;
}

function textFits(text: string, [name, wanted]: Condition): boolean {
  const [has, asked] = [text.toLowerCase(), String(wanted).toLowerCase()];
  switch (name) {
    case "equals":
      return has === asked;
    case "does_not_equal":
      return has !== asked;
    case "contains":
      return has.includes(asked);
    case "does_not_contain":
      return !has.includes(asked);
    case "starts_with":
      return has.startsWith(asked);
    case "ends_with":
      return has.endsWith(asked);
    default:
      return emptyFits(text === "", name);
  }
}

function numberFits(number: number | null, [name, wanted]: Condition): boolean {
  const asked = Number(wanted);
  switch (name) {
    case "equals":
      return number === asked;
    case "does_not_equal":
      return number !== asked;
    case "greater_than":
      return number !== null && number > asked;
    case "less_than":
      return number !== null && number < asked;
    case "greater_than_or_equal_to":
      return number !== null && number >= asked;
    case "less_than_or_equal_to":
      return number !== null && number <= asked;
    default:
      return emptyFits(number === null, name);
  }
}

/** @param has Epoch milliseconds; NaN = no date */
function dateFits(has: number, [name, wanted]: Condition): boolean {
  const asked = Date.parse(String(wanted));
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const isThere = !Number.isNaN(has);
  switch (name) {
    case "equals":
      return isThere && (String(wanted).length === 10 ? day(has) === wanted : has === asked);
    case "before":
      return isThere && has < asked;
    case "after":
      return isThere && has > asked;
    case "on_or_before":
      return isThere && has <= asked;
    case "on_or_after":
      return isThere && has >= asked;
    default:
      return emptyFits(!isThere, name);
  }
}

function listFits(members: readonly string[], [name, wanted]: Condition): boolean {
  if (name === "contains") return members.includes(String(wanted));
  if (name === "does_not_contain") return !members.includes(String(wanted));
  return emptyFits(members.length === 0, name);
}

function emptyFits(isEmpty: boolean, name: string): boolean {
  if (name === "is_empty") return isEmpty;
  if (name === "is_not_empty") return !isEmpty;
  throw invalid(`body failed validation: a filter's condition should not be ${name}.`);
}
