import { timeOf } from "#connectors/toolkit/views/values.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { propertyKey } from "../property-key.ts";
import { listOf, type Members, memberOf, membersOf, numberOf, textOf } from "./members.ts";
import { plainText } from "./rich-text.ts";
import { findProperty } from "./source-properties.ts";

/** Whether a view shows a row, by the record of its page. */
export type RowFilter = (page: Json) => boolean;

/** A condition that this file does not apply, so that the view is shown without its filter. */
class UnknownCondition extends Error {}

/**
 * The filter of a view with its quick filters, which narrow it further (contract: `ViewFilterResponse`, `PropertyFilter`,
 * `QuickFilterConditionResponse`). Null = it has none; `unknown` = it holds a condition that depends on the day or the
 * reader, or that came later. A filter is applied as a whole or not at all.
 */
export function viewFilter(view: Json, source: Json): RowFilter | "unknown" | null {
  const { filter, quick_filters: quick } = membersOf(view);
  try {
    const parts = Object.entries(membersOf(quick)).map(([id, condition]) =>
      propertyFilter({ ...membersOf(condition), property: id }, source),
    );
    if (filter !== null && filter !== undefined) parts.unshift(filterOf(filter, source, 0));
    return parts.length === 0 ? null : (page) => parts.every((fits) => fits(page));
  } catch (error) {
    if (error instanceof UnknownCondition) return "unknown";
    throw error;
  }
}

/** Groups nest to two levels (`ViewFilterResponse`). */
const DEEPEST = 2;

function filterOf(filter: Json, source: Json, depth: number): RowFilter {
  if (depth > DEEPEST) throw new UnknownCondition();
  const { and, or } = membersOf(filter);
  const within = (group: readonly Json[]) => group.map((each) => filterOf(each, source, depth + 1));
  if (Array.isArray(and)) {
    const all = within(and);
    return (page) => all.every((fits) => fits(page));
  }
  if (Array.isArray(or)) {
    const any = within(or);
    return (page) => any.some((fits) => fits(page));
  }
  const time = textOf(filter, "timestamp");
  if (time === "") return propertyFilter(filter, source);
  const fits = dateTest(conditionIn(filter, time));
  return (page) => fits(timeOf(textOf(page, time)));
}

function propertyFilter(filter: Json, source: Json): RowFilter {
  const property = findProperty(source, textOf(filter, "property"), "");
  if (property === null) throw new UnknownCondition();
  const type = textOf(property, "type");
  const key = propertyKey(textOf(property, "id"));
  const fits = valueTest(type, membersOf(filter)[type] ?? {});
  return (page) =>
    fits(
      membersOf(
        Object.values(memberOf(page, "properties")).find((each) => propertyKey(textOf(each, "id")) === key),
      ),
    );
}

/** Tests the value of a property of this type (`PagePropertyValueWithIdResponse`); an absent value has no members. */
function valueTest(type: string, condition: Json): (value: Members) => boolean {
  switch (type) {
    case "title":
    case "rich_text": {
      const fits = textTest(only(condition));
      return (value) => fits(plainText(listOf(value, type)));
    }
    case "url":
    case "email":
    case "phone_number": {
      const fits = textTest(only(condition));
      return (value) => fits(textOf(value, type));
    }
    case "number": {
      const fits = numberTest(only(condition));
      return (value) => fits(numberOf(value, "number"));
    }
    case "unique_id": {
      const fits = numberTest(only(condition));
      return (value) => fits(numberOf(memberOf(value, "unique_id"), "number"));
    }
    case "checkbox": {
      const fits = checkTest(only(condition));
      return (value) => fits(value.checkbox === true);
    }
    case "select":
    case "status": {
      const fits = choiceTest(only(condition));
      return (value) => fits(textOf(value[type], "name"));
    }
    case "multi_select":
      return listTest(only(condition), (value) => listOf(value, type).map((each) => textOf(each, "name")));
    case "people":
    case "relation":
      return listTest(only(condition), (value) => listOf(value, type).map((each) => textOf(each, "id")));
    case "created_by":
    case "last_edited_by":
      return listTest(only(condition), (value) => [textOf(value[type], "id")].filter(Boolean));
    case "files":
      return listTest(only(condition), (value) => listOf(value, type).map((each) => textOf(each, "name")));
    case "date": {
      const fits = dateTest(only(condition));
      return (value) => fits(timeOf(textOf(value.date, "start")));
    }
    case "created_time":
    case "last_edited_time": {
      const fits = dateTest(only(condition));
      return (value) => fits(timeOf(textOf(value, type)));
    }
    case "formula":
      return formulaTest(only(condition));
    default:
      throw new UnknownCondition();
  }
}

/** A condition of the API: its name and what it compares with. */
type Condition = [name: string, wanted: Json];

function conditionIn(filter: Json, type: string): Condition {
  return only(membersOf(filter)[type] ?? {});
}

function only(condition: Json): Condition {
  const [first, ...more] = Object.entries(membersOf(condition));
  if (first === undefined || more.length > 0) throw new UnknownCondition();
  return first;
}

/** Tests whether something is there, which every type has; refuses other conditions. */
function thereTest(name: string): (isThere: boolean) => boolean {
  if (name === "is_empty") return (isThere) => !isThere;
  if (name === "is_not_empty") return (isThere) => isThere;
  throw new UnknownCondition();
}

function textTest([name, wanted]: Condition): (text: string) => boolean {
  const asked = typeof wanted === "string" ? wanted.toLowerCase() : null;
  const test = (fits: (text: string, asked: string) => boolean) => {
    if (asked === null) throw new UnknownCondition();
    return (text: string) => fits(text.toLowerCase(), asked);
  };
  switch (name) {
    case "equals":
      return test((text, other) => text === other);
    case "does_not_equal":
      return test((text, other) => text !== other);
    case "contains":
      return test((text, other) => text.includes(other));
    case "does_not_contain":
      return test((text, other) => !text.includes(other));
    case "starts_with":
      return test((text, other) => text.startsWith(other));
    case "ends_with":
      return test((text, other) => text.endsWith(other));
    default: {
      const fits = thereTest(name);
      return (text) => fits(text !== "");
    }
  }
}

function numberTest([name, wanted]: Condition): (number: number | null) => boolean {
  const test = (fits: (number: number, asked: number) => boolean, ofNone = false) => {
    if (typeof wanted !== "number") throw new UnknownCondition();
    return (number: number | null) => (number === null ? ofNone : fits(number, wanted));
  };
  switch (name) {
    case "equals":
      return test((number, asked) => number === asked);
    case "does_not_equal":
      return test((number, asked) => number !== asked, true);
    case "greater_than":
      return test((number, asked) => number > asked);
    case "less_than":
      return test((number, asked) => number < asked);
    case "greater_than_or_equal_to":
      return test((number, asked) => number >= asked);
    case "less_than_or_equal_to":
      return test((number, asked) => number <= asked);
    default: {
      const fits = thereTest(name);
      return (number) => fits(number !== null);
    }
  }
}

function checkTest([name, wanted]: Condition): (isOn: boolean) => boolean {
  if (typeof wanted !== "boolean") throw new UnknownCondition();
  if (name === "equals") return (isOn) => isOn === wanted;
  if (name === "does_not_equal") return (isOn) => isOn !== wanted;
  throw new UnknownCondition();
}

/** One of several options may be asked for (`StringOrStringArray`). */
function choiceTest([name, wanted]: Condition): (chosen: string) => boolean {
  if (name !== "equals" && name !== "does_not_equal") {
    const fits = thereTest(name);
    return (chosen) => fits(chosen !== "");
  }
  const options = typeof wanted === "string" ? [wanted] : wanted;
  if (!Array.isArray(options)) throw new UnknownCondition();
  return (chosen) => options.includes(chosen) === (name === "equals");
}

/** Several options at once, and "me" for the reader, are unknown: the contract does not say what they mean. */
function listTest(
  [name, wanted]: Condition,
  membersOfValue: (value: Members) => string[],
): (value: Members) => boolean {
  if (name !== "contains" && name !== "does_not_contain") {
    const fits = thereTest(name);
    return (value) => fits(membersOfValue(value).length > 0);
  }
  if (typeof wanted !== "string" || wanted === "me") throw new UnknownCondition();
  return (value) => membersOfValue(value).includes(wanted) === (name === "contains");
}

/** Compares with a fixed day or moment; days of the reader's calendar, such as `today`, are unknown. */
function dateTest([name, wanted]: Condition): (at: number | null) => boolean {
  const isDay = typeof wanted === "string" && /^\d{4}-\d\d-\d\d$/.test(wanted);
  const asked = typeof wanted === "string" && /^\d{4}-\d\d-\d\d/.test(wanted) ? timeOf(wanted) : null;
  const until = asked === null ? 0 : isDay ? asked + 86_400_000 - 1 : asked;
  const test = (fits: (at: number, from: number) => boolean) => {
    if (asked === null) throw new UnknownCondition();
    return (at: number | null) => at !== null && fits(at, asked);
  };
  switch (name) {
    case "equals":
      return test((at, from) => at >= from && at <= until);
    case "before":
      return test((at, from) => at < from);
    case "after":
      return test((at) => at > until);
    case "on_or_before":
      return test((at) => at <= until);
    case "on_or_after":
      return test((at, from) => at >= from);
    default: {
      const fits = thereTest(name);
      return (at) => fits(at !== null);
    }
  }
}

/** `FormulaPropertyFilter` names the type of the result. */
function formulaTest([type, condition]: Condition): (value: Members) => boolean {
  switch (type) {
    case "string": {
      const fits = textTest(only(condition));
      return (value) => fits(textOf(value.formula, "string"));
    }
    case "number": {
      const fits = numberTest(only(condition));
      return (value) => fits(numberOf(value.formula, "number"));
    }
    case "checkbox": {
      const fits = checkTest(only(condition));
      return (value) => fits(membersOf(value.formula).boolean === true);
    }
    case "date": {
      const fits = dateTest(only(condition));
      return (value) => fits(timeOf(textOf(memberOf(value.formula, "date"), "start")));
    }
    default:
      throw new UnknownCondition();
  }
}
