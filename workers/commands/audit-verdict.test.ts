import { expect, test } from "vitest";
import { auditVerdict } from "./audit-verdict.ts";

test("the first fault is named by its entry and its place in the chain", () => {
  const fault = { kind: "broken", fault: "altered", seq: 7, entryId: "aud_x" } as const;
  expect(auditVerdict(fault)).toEqual({
    isGood: false,
    text: "The first fault: the entry aud_x at 7 of the chain was altered.",
  });
  expect(auditVerdict({ ...fault, fault: "inserted", seq: null }).text).toContain("outside the chain");
  expect(auditVerdict({ ...fault, fault: "removed", entryId: null }).text).toContain("an entry at 7");
  expect(auditVerdict({ kind: "anchor-altered", key: "audit/anchors/x" }).isGood).toBe(false);
});

test("a whole trail is good, with its numbers", () => {
  const { isGood, text } = auditVerdict({ kind: "whole", sealed: 12, waiting: 1, anchors: 3, head: "ab" });
  expect(isGood).toBe(true);
  expect(text).toContain("12 entries in the chain, 1 waiting for it, 3 anchors");
});
