import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { FieldRecord } from "../record-types.ts";
import { isOwnWay, matchField, type ValueContext, valueFor } from "./field-values.ts";
import type { CreateField } from "./jira-calls.ts";

const CONTEXT: ValueContext = {
  components: new Map([["api", "31"]]),
  versions: new Map([["1.0", "41"]]),
  people: new Set(["nora"]),
  text: (doc) => ({ rewritten: doc }),
};
const PLAIN = "com.atlassian.jira.plugin.system.customfieldtypes:";
const field = (
  type: string,
  more: Partial<CreateField> & { items?: string; custom?: string } = {},
): CreateField => {
  const { items, custom, ...rest } = more;
  return {
    fieldId: "customfield_1",
    name: "Field",
    required: false,
    schema: { type, items, custom },
    allowedValues: [],
    ...rest,
  };
};
const OPTIONS = [
  { id: "1", value: "Red", children: [{ id: "11", value: "Dark" }] },
  { id: "2", value: "Blue", children: [] },
];
const set = (value: Json, target: CreateField) => valueFor(value, target, CONTEXT);

test("a field is matched by id, else by name, and never across types", () => {
  const source: FieldRecord = {
    ...{ id: "customfield_7", name: "Severity", custom: true },
    schema: { type: "option", custom: `${PLAIN}select` },
  };
  const same = field("option", { fieldId: "customfield_7", name: "Other name", custom: `${PLAIN}select` });
  const named = field("option", { fieldId: "customfield_8", name: " severity", custom: `${PLAIN}select` });
  const wrong = field("string", { fieldId: "customfield_7", name: "Severity", custom: `${PLAIN}textfield` });
  expect(matchField(source, [named, same])).toBe(same);
  expect(matchField(source, [wrong, named])).toBe(named);
  expect(matchField(source, [wrong])).toBeNull();
});

test("options are set by the target's ids; unknown ones are named", () => {
  const color = field("option", { allowedValues: OPTIONS });
  expect(set({ id: "9", value: "blue" }, color)).toEqual({ value: { id: "2" }, lost: [] });
  expect(set({ id: "1", value: "Green" }, color)).toEqual({ value: undefined, lost: ["Green"] });
  const many = field("array", { items: "option", allowedValues: OPTIONS });
  expect(set([{ value: "Red" }, { value: "Green" }], many)).toEqual({
    value: [{ id: "1" }],
    lost: ["Green"],
  });
  const cascade = field("option-with-child", { allowedValues: OPTIONS });
  expect(set({ value: "Red", child: { value: "Dark" } }, cascade).value).toEqual({
    id: "1",
    child: { id: "11" },
  });
  expect(set({ value: "Red", child: { value: "Pale" } }, cascade)).toEqual({
    value: { id: "1" },
    lost: ["Pale"],
  });
});

test("people are set if they are there, otherwise named", () => {
  const person = field("user");
  expect(set({ accountId: "nora" }, person)).toEqual({ value: { accountId: "nora" }, lost: [] });
  expect(set({ accountId: "gone", displayName: "Ivo" }, person)).toEqual({ value: undefined, lost: ["Ivo"] });
});

test("plain values pass, documents are rewritten, and other forms are told", () => {
  expect(set(3, field("number")).value).toBe(3);
  expect(set("2026-02-03", field("date")).value).toBe("2026-02-03");
  expect(set(["a", "b"], field("array", { items: "string" })).value).toEqual(["a", "b"]);
  const doc = { type: "doc", version: 1, content: [] };
  expect(set(doc, field("string")).value).toEqual({ rewritten: doc });
  expect(set({ odd: 1 }, field("string"))).toEqual({
    value: undefined,
    lost: ["a value of an unknown form"],
  });
  expect(set("x", field("sd-servicelevelagreement")).lost).toEqual(["values of this type"]);
});

test("components, versions and priorities are found by name", () => {
  expect(set([{ name: "API" }, { name: "Web" }], field("array", { items: "component" }))).toEqual({
    value: [{ id: "31" }],
    lost: ["Web"],
  });
  expect(set([{ name: "1.0" }], field("array", { items: "version" })).value).toEqual([{ id: "41" }]);
  const priority = field("priority", { allowedValues: [{ id: "3", name: "High", children: [] }] });
  expect(set({ id: "1", name: "high" }, priority).value).toEqual({ id: "3" });
});

test("fields of agile boards and computed ones are restored in other ways", () => {
  const of = (custom: string): FieldRecord => ({
    id: "x",
    name: "x",
    custom: true,
    schema: { type: "any", custom },
  });
  expect(isOwnWay(of("com.pyxis.greenhopper.jira:gh-lexo-rank"))).toBe(true);
  expect(isOwnWay(of("com.pyxis.greenhopper.jira:jsw-story-points"))).toBe(false);
});
