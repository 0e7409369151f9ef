import { expect, test } from "vitest";
import { describePart } from "./describe-part.ts";

type State = "changed" | "same" | "absent";
/** Versions "0", "1", … from the oldest on, as the API lists them. */
const listed = (states: State[], isCut = false) => ({
  versions: states.map((state, at) => ({ snapshotId: String(at), takenAt: at, state })).reverse(),
  isCut,
});

test("a part is described by its changes before and after the open version", () => {
  const versions = listed(["absent", "changed", "same", "changed", "same", "changed", "same"]);
  const described = describePart(versions, "4");
  expect(described).toMatchObject({ present: 6, changed: 3, since: 1, isCut: false });
  expect([described?.before?.snapshotId, described?.after?.snapshotId]).toEqual(["2", "5"]);
});

test("a part that has not changed since its first version has nothing to compare with", () => {
  expect(describePart(listed(["absent", "changed", "same"]), "2")).toMatchObject({
    before: null,
    after: null,
  });
  expect(describePart(listed(["same", "same"], true), "1")).toMatchObject({ before: null, changed: 0 });
  expect(describePart(listed(["same"]), "9")).toBeNull();
});
