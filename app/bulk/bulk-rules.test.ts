import { expect, test } from "vitest";
import { bulkCopy } from "#app/copy/bulk-restore.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { itemOf } from "#tests/harness/view-fixtures.ts";
import type { BulkItem } from "./bulk-items.schema.ts";
import {
  bulkItemOf,
  bulkRequest,
  bulkRules,
  busyAfter,
  continueReason,
  nameFault,
  refusalOf,
  withVersions,
} from "./bulk-rules.ts";

const anyName = { restoredNameLength: 20, isUnnamed: false, isIntoExisting: false };
/** GitLab's name rules. The bulk restore uses the looser of the two readings (spec P-255). */
const ruled = {
  isUnnamed: false,
  isIntoExisting: false,
  ...descriptors.find(({ id }) => id === "gitlab")!.limits,
};
const usual = { ...anyName, restoredNameLength: 100 };
const one: BulkItem = bulkItemOf(itemOf({ id: "itm_1", name: "crane" }), false, usual);
const points = {
  itm_1: [
    { snapshotId: "snp_2", date: 2, sizeBytes: 1 },
    { snapshotId: "snp_1", date: 1, sizeBytes: 1 },
  ],
};
const [chosen] = withVersions([one], points) as [BulkItem];

test("[P-163] an item of a bulk restore has the stored members, with its new name", () => {
  expect(one).toEqual({
    id: "itm_1",
    idName: "crane",
    name: "crane_restored",
    ver: "",
    verDate: null,
    isGist: false,
    projectTypeKey: null,
    matchedColumns: [],
    intoName: "",
    isSame: false,
    tags: [{ label: "PVT", meaning: "Private" }],
    isOpen: false,
  });
});

test("the newest version is selected; a selected version stays unless it is gone", () => {
  expect(chosen).toMatchObject({ ver: "snp_2", verDate: 2 });
  const older = { ...chosen, ver: "snp_1", verDate: 1 };
  expect(withVersions([older], points)[0]).toBe(older);
  expect(withVersions([{ ...older, ver: "snp_0" }], points)[0]).toMatchObject({ ver: "snp_2" });
  expect(withVersions([older], { itm_1: [] })[0]).toMatchObject({ ver: "", verDate: null });
});

test("[P-236] [P-237] [P-238] step 2 requires items, versions, names, and names that the platform allows", () => {
  const { reasons } = bulkCopy;
  expect(continueReason([], points, anyName)).toBe(reasons.items);
  expect(continueReason([one], null, anyName)).toBe(reasons.loading);
  expect(continueReason([one], points, anyName)).toBe(reasons.version);
  // One item that is not ready blocks all of them.
  const second = (change: Partial<BulkItem>) => [chosen, { ...chosen, ...change }];
  expect(continueReason(second({ name: "  " }), points, anyName)).toBe(reasons.name);
  expect(continueReason(second({ name: "x".repeat(21) }), points, anyName)).toBe(reasons.wrongName);
  expect(continueReason(second({ name: "-x" }), points, ruled)).toBe(reasons.wrongName);
  expect(continueReason(second({}), points, ruled)).toBeNull();
  expect(continueReason([{ ...chosen, name: "" }], points, { ...ruled, isUnnamed: true })).toBeNull();
});

test("[P-255] the bulk restore accepts GitLab's names only with single separators inside", () => {
  for (const name of ["a b.c", "a-b_c+d", "x"]) expect([name, nameFault(name, ruled)]).toEqual([name, null]);
  for (const name of ["-x", "x-", "a..b", "a -b", "a/b"]) {
    expect([name, nameFault(name, ruled)]).toEqual([name, ruled.restoredNameRule?.message]);
  }
  expect(ruled.restoredNameRule?.message).toMatch(/^Name must start with a letter or number/);
});

test("[P-289] [P-291] more than ten at once and an item without a version are refused, each with its sentence", () => {
  const items = Array.from({ length: 11 }, (_, at) => itemOf({ id: `itm_${at}`, lastBackupAt: 1 }));
  expect(refusalOf(items)).toBe("You can restore up to 10 items at a time");
  expect(refusalOf(items.slice(0, 10))).toBeNull();
  const never = itemOf({ name: "quay", lastBackupAt: null });
  expect(refusalOf([items[0]!, never])).toBe("quay was never backed up, so there is nothing to restore yet.");
});

test("[P-203] an item with a running action cannot be restored until its end event arrives", () => {
  const event = (status: "queued" | "success") =>
    ({
      method: "item-status",
      platform: "p",
      id: "itm_1",
      type: "backup",
      status,
      date: 1,
      data_size: 0,
      actionProcess: null,
      runId: "run_1",
      errorText: null,
    }) as const;
  const begun = busyAfter(new Set(), event("queued"));
  expect([...begun]).toEqual(["itm_1"]);
  expect(busyAfter(begun, event("queued"))).toBe(begun);
  expect([...busyAfter(begun, event("success"))]).toEqual([]);
});

test("the request has version, new name, place and answers of each item, and the addresses without spaces", () => {
  const place = {
    id: "plc_1",
    connectionId: "con_1",
    externalId: "9",
    name: "octo",
    type: "User",
    isOwn: true,
    facts: { node_id: "O_9" },
  };
  const request = bulkRequest([{ ...chosen, name: " quay " }], {
    place,
    emails: "a@b.co, c@d.co",
    answersOf: (itemId) => ({ options: { heads: itemId === "itm_1" } }),
    rules: anyName,
  });
  expect(request).toEqual({
    items: [
      {
        itemId: "itm_1",
        snapshotId: "snp_2",
        name: "quay",
        place: { id: "9", name: "octo", node_id: "O_9", type: "User" },
        options: { heads: true },
      },
    ],
    placeId: null,
    emails: "a@b.co,c@d.co",
  });
});

test("for restores into existing items each item needs a target and sends its id", () => {
  const jira = descriptors.find(({ id }) => id === "jira")!;
  const rules = bulkRules(jira, jira.itemKinds[0]!);
  expect(rules.isIntoExisting).toBe(true);
  const fresh = bulkItemOf(itemOf({ id: "itm_1", name: "crane" }), false, rules);
  expect(fresh).toMatchObject({ name: "", intoName: "" });
  const [open] = withVersions([fresh], points) as [BulkItem];
  expect(continueReason([open], points, rules)).toBe(bulkCopy.reasons.target);
  const sent = { ...open, name: `OPS-${"2".repeat(100)}`, intoName: "Operations" };
  expect(continueReason([sent], points, rules)).toBeNull();
  const request = bulkRequest([sent], { place: null, emails: "", answersOf: () => ({ options: {} }), rules });
  expect(request.items[0]).toMatchObject({ name: null, into: sent.name, place: null });
});
