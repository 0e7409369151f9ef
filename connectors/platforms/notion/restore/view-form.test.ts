import { expect, test } from "vitest";
import { viewForm } from "./view-form.ts";

const names = {
  propertyId: (id: string) => ({ Stat: "s2", insp: "i2", "a:b": "x2" })[id] ?? null,
  pageId: (id: string) => (id === "old-page" ? "new-page" : null),
};

test("a view names the new properties and pages", () => {
  const view = {
    ...{ object: "view", id: "v", name: "On the road", type: "board" },
    configuration: {
      ...{ type: "board", cover: null },
      group_by: {
        type: "status",
        property_id: "Stat",
        property_name: "Status",
        group_by: "option",
        sort: { type: "manual" },
      },
      properties: [
        { property_id: "a%3Ab", visible: true },
        { property_id: "gone", visible: true },
      ],
    },
    filter: {
      and: [
        { property: "depR", relation: { contains: "old-page" } },
        { property: "Stat", relation: { contains: "old-page" } },
      ],
    },
    sorts: [
      { property: "insp", direction: "ascending" },
      { property: "gone", direction: "ascending" },
    ],
    quick_filters: { "a%3Ab": { checkbox: { equals: true } } },
  };
  expect(viewForm(view, names)).toEqual({
    ...{ name: "On the road", type: "board" },
    configuration: {
      type: "board",
      group_by: { type: "status", property_id: "s2", group_by: "option", sort: { type: "manual" } },
      properties: [{ property_id: "x2", visible: true }],
    },
    filter: { and: [{ property: "s2", relation: { contains: "new-page" } }] },
    sorts: [{ property: "i2", direction: "ascending" }],
    quick_filters: { x2: { checkbox: { equals: true } } },
  });
});

test("a dashboard is not made, and a plain table needs no configuration", () => {
  expect(viewForm({ type: "dashboard", name: "All" }, names)).toBe(null);
  expect(viewForm({ type: "table", name: "", configuration: { type: "table" } }, names)).toEqual({
    ...{ name: "View", type: "table" },
  });
});

test("the axes of a chart are the properties of the new table", () => {
  const configuration = {
    type: "chart",
    chart_type: "bar",
    x_axis_property_id: "Stat",
    y_axis_property_id: "insp",
  };
  expect(viewForm({ type: "chart", name: "Use", configuration }, names)).toEqual({
    ...{ name: "Use", type: "chart" },
    configuration: { ...configuration, x_axis_property_id: "s2", y_axis_property_id: "i2" },
  });
});
