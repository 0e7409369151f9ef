import { expect, test } from "vitest";
import { fromWire, schemaOnWire } from "./dialect.ts";

const restore = { itemId: "id", snapshotId: "versionid" };

test("wire names become ours at every depth, except inside a place", () => {
  const wire = { items: [{ id: "itm_1", versionid: "snp_1", name: "x", place: { id: "9", type: "User" } }] };
  expect(fromWire(restore, wire)).toEqual({
    items: [{ itemId: "itm_1", snapshotId: "snp_1", name: "x", place: { id: "9", type: "User" } }],
  });
});

test("a place may have another name on the wire, and its members are unchanged there too", () => {
  const boards = { itemId: "id", snapshotId: "versions", place: "organizationId" };
  const wire = { items: [{ id: "itm_1", versions: "snp_1", name: "x", organizationId: "5e93" }] };
  expect(fromWire(boards, wire)).toEqual({
    items: [{ itemId: "itm_1", snapshotId: "snp_1", name: "x", place: "5e93" }],
  });
  const whole = {
    items: [{ id: "itm_1", versions: "snp_1", organizationId: { id: "plc_1", name: "Quay" } }],
  };
  expect(fromWire(boards, whole)).toMatchObject({ items: [{ place: { id: "plc_1", name: "Quay" } }] });
});

test("a field given under both names is refused", () => {
  expect(() => fromWire(restore, { id: "a", itemId: "b" })).toThrow("twice");
});

test("the document's schemas use the names of the wire", () => {
  const schema = { type: "object", properties: { itemId: { type: "string" } }, required: ["itemId"] };
  expect(schemaOnWire(restore, { type: "array", items: schema })).toEqual({
    type: "array",
    items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  });
});
