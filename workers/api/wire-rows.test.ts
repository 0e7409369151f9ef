import { expect, test } from "vitest";
import { z } from "zod";
import { defineRowFacts, type WithFacts } from "#connectors/contract/row-facts.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { InvariantError } from "#core/kernel/invariant.ts";
import { rowOf as historyOf, itemOf } from "#tests/harness/view-fixtures.ts";
import { rowAnswersOf } from "./wire-answers.ts";
import { historyRow, itemRow } from "./wire-rows.ts";

/** The row of an item of each item kind of a platform. */
function rowsOf(platform: string, change: Partial<WithFacts<ItemView>> = {}) {
  const kinds = descriptors.find(({ id }) => id === platform)?.itemKinds ?? [];
  const view = { platform, fullName: "meridian/one", ...change } as const;
  return kinds.map(({ id, isSub }) => itemRow(itemOf({ ...view, kind: id }), { isSub }));
}

test("[P-145] a GitLab item's row is marked as project or snippet", () => {
  expect(rowsOf("gitlab").map(({ type, isRepo }) => [type, isRepo])).toEqual([
    ["project", true],
    ["snippet", false],
  ]);
});

test("[P-144] a GitHub item's row is marked as repository or gist and has its description", () => {
  const rows = rowsOf("github", { description: "Moves cranes" });
  expect(rows.map(({ type, isRepo }) => [type, isRepo])).toEqual([
    ["repository", true],
    ["gist", false],
  ]);
  for (const row of rows) expect(row.description).toBe("Moves cranes");
});

test("[P-136] a row of every platform and kind has id, name and size", () => {
  for (const { id: platform, itemKinds } of descriptors) {
    const rows = rowsOf(platform, { id: "itm_9", name: "crane", sizeBytes: 70 });
    expect(rows).toHaveLength(itemKinds.length);
    for (const row of rows) expect(row).toMatchObject({ id: "itm_9", name: "crane", size: 70 });
  }
});

/** Stored details of items visible to a workspace, an organisation or everybody, by platform. */
const OPEN: Record<string, Record<string, Json>> = {
  github: { repository: { visibility: "internal" }, gist: { record: { public: true } } },
  gitlab: { project: { visibility: "internal" }, snippet: { visibility: "public" } },
  trello: { board: { permissionLevel: "org" } },
};

test("every platform but Jira and Notion states the visibility of its items", () => {
  const without = descriptors.filter(({ id }) => OPEN[id] === undefined).map(({ id }) => id);
  expect(without).toEqual(["jira", "notion"]);
});

test("[P-146] a row has its item's visibility and owner, if the platform states them", () => {
  for (const { connector } of platforms) {
    const { id, itemKinds } = connector.descriptor;
    // Jira and Notion state neither: who sees a project or a workspace is a matter of their permissions.
    for (const { id: kind } of OPEN[id] === undefined ? [] : itemKinds) {
      const rowOf = (details: Json) => {
        const facts = connector.rowFacts?.item?.of({ kind, details }) ?? {};
        return rowsOf(id, { facts })[0];
      };
      const isPublic = kind === "gist" || kind === "snippet";
      expect(rowOf(OPEN[id]?.[kind] ?? null)).toMatchObject({
        is_private: false,
        visibility: isPublic ? "public" : "internal",
        organizationName: "meridian",
      });
      // Unknown visibility counts as private, the safe default.
      expect(rowOf(null)).toMatchObject({ is_private: true, visibility: "private" });
    }
  }
});

test("a platform's own members are in the row, and not again in its view", () => {
  const facts = { node_id: "R_7", is_private: true };
  const row = itemRow(itemOf({ facts }), { isSub: false });
  expect(row).toMatchObject(facts);
  expect(Object.keys(row.view)).not.toEqual(expect.arrayContaining(["facts"]));
});

test("a history row names its version for the scope where the platform's versions have one", () => {
  const named = (over: Partial<HistoryRow>, hasScope: boolean) =>
    historyRow(historyOf(over), { hasScope }).extra_fields.scopeVersionId;
  const backup = { type: "backup", snapshotId: "snp_1" } as const;
  expect(named(backup, true)).toBe("snp_1");
  expect(named(backup, false)).toBeNull();
  // A backup that has not ended has no version, and the version of a restore may have expired.
  expect(named({ ...backup, snapshotId: null }, true)).toBeNull();
  expect(named({ ...backup, type: "restore" }, true)).toBeNull();
});

test("a platform whose own members replace shared ones stops the Worker at start-up", () => {
  const named = (name: string) => defineRowFacts(z.object({ [name]: z.string() }), () => ({ [name]: "" }));
  for (const { connector } of platforms) expect(() => rowAnswersOf(connector.rowFacts)).not.toThrow();
  expect(() => rowAnswersOf({ item: named("colour"), place: named("colour") })).not.toThrow();
  for (const taken of ["status", "type", "view", "isAdded"])
    expect(() => rowAnswersOf({ item: named(taken) }), taken).toThrow(InvariantError);
  for (const taken of ["name", "view"])
    expect(() => rowAnswersOf({ place: named(taken) }), taken).toThrow(InvariantError);
  for (const taken of ["username", "view"])
    expect(() => rowAnswersOf({ account: named(taken) }), taken).toThrow(InvariantError);
});
