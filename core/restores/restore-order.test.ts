import { expect, test } from "vitest";
import { requireOrder, restoreOrder } from "./restore-order.ts";

/** A place as earlier releases stored it, and its converted form. */
const oldPlace = { externalId: "9", nodeId: null, name: "octo", type: "User" };
const place = { externalId: "9", name: "octo", type: "User", isOwn: true, details: null };
const group = { externalId: "8", name: "crew", type: "group", isOwn: false, details: { level: 50 } };
const first = {
  name: "again",
  place: oldPlace,
  emails: ["a@b.example"],
  options: { heads: true },
  takenAt: 7,
};
const item = { externalId: "4", name: "Quay", fullName: "quay" };

test("an order is read as it was written, and an unknown form ends its run", () => {
  const order = restoreOrder.write({
    target: { kind: "existing", item },
    part: { path: "cards/1.json", title: "Fix the crane" },
    answers: { heads: true, mode: "add", columns: { 1: "a", 2: null } },
    emails: [],
    takenAt: 7,
  });
  expect(order.version).toBe(2);
  const { version: _, ...value } = order;
  expect(requireOrder({ order: JSON.parse(JSON.stringify(order)) })).toEqual(value);
  for (const wrong of [null, {}, { ...order, version: 3 }, { ...order, extra: 1 }, { ...first, extra: 1 }])
    expect(() => requireOrder({ order: wrong })).toThrow(/no longer understands/);
});

test("an order of version 1 keeps its meaning: whole version or part, new or existing item", () => {
  const rest = { answers: { heads: true }, emails: ["a@b.example"], takenAt: 7 };
  const target = { kind: "new", name: "again", place };
  for (const stored of [first, { version: 1, ...first }])
    expect(requireOrder({ order: stored })).toEqual({ ...rest, target, part: null });
  const part = { path: "cards/1.json", title: "Fix the crane" };
  const into = (existing: typeof item | null) =>
    requireOrder({ order: { version: 1, ...first, part: { ...part, into: existing } } });
  expect(into(null)).toEqual({ ...rest, target, part });
  expect(into(item)).toEqual({ ...rest, target: { kind: "existing", item }, part });
});

test("places of an earlier release lose their node id, and an organisation is not the account's own place", () => {
  const ordered = (stored: object) =>
    requireOrder({
      order: {
        ...{ version: 2, part: null, answers: {}, emails: [], takenAt: 7 },
        target: { kind: "new", name: "again", place: stored },
      },
    }).target;
  expect(ordered(oldPlace)).toEqual({ kind: "new", name: "again", place });
  expect(ordered({ ...oldPlace, type: "Organization" })).toMatchObject({ place: { isOwn: false } });
  expect(ordered(group)).toMatchObject({ place: group });
});
