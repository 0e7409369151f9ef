import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { snapshot } from "#core/database/ledger/index.ts";
import { ledgerOn } from "#core/database/ledgers.ts";
import { commitTogether } from "#core/database/statements.ts";
import { commitSnapshot, type SnapshotCommit } from "#core/versions/commit.store.ts";
import { listNearbyVersions } from "#core/versions/nearby.store.ts";
import { dropLooseManifests, END_OF_ITEMS } from "#core/versions/prune.store.ts";
import { findManifest, findWholeVersion, objectRegistry } from "#core/versions/registry.store.ts";
import { recordVerdict } from "#core/versions/snapshots.store.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addObject,
  addRun,
  addSnapshot,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { planOf } from "#tests/harness/query-plans.ts";

beforeEach(emptyEverything);

const VERDICT = {
  state: "failed",
  at: 5,
  text: "damaged",
  restoreObstacle: null,
  unreachable: null,
} as const;
const HOLD = { runId: "run_check", epoch: 1 };

const COMMIT: SnapshotCommit = {
  hold: { ...HOLD, itemId: ITEM },
  ...{ organisationId: ORGANISATION, snapshotId: "snp_a", takenAt: 1, committedAt: 1, expiresAt: 1 },
  draft: {
    manifest: {
      id: "hash",
      root: { object: "obj_1", offset: 0, length: 1, method: 0, hash: "hash" },
      ...{ entryCount: 0, sizeBytes: 0, objects: [] },
    },
    completeness: { counts: {}, reported: {}, skipped: [], skippedCount: 0, apiVersion: "1", account: "a" },
    ...{ previous: null, unchanged: false, newBytes: 0 },
  },
  item: { name: "a", fullName: "a", description: null, details: {} },
  ...{ verifyRunId: "run_b", copyTo: null, bytesRead: 0 },
};

/** A ledger that notes the text of each statement. */
function noting(texts: Set<string>) {
  const prepare = (text: string) => {
    texts.add(text);
    return env.LEDGER_DE.prepare(text);
  };
  const member = (target: D1Database, name: string | symbol) => {
    if (name === "prepare") return prepare;
    const value = Reflect.get(target, name, target) as unknown;
    return typeof value === "function" ? value.bind(target) : value;
  };
  return ledgerOn(new Proxy(env.LEDGER_DE, { get: member }));
}

test("what is found by a hash is found by the start of the hash in the index", async () => {
  const texts = new Set<string>();
  const noted = noting(texts);
  const clock = { now: () => 1 };
  await objectRegistry(noted, { organisationId: ORGANISATION, clock }).findStream(ITEM, "hash", "run_a");
  await dropLooseManifests(noted, { from: "", to: END_OF_ITEMS });
  await commitTogether(noted, [recordVerdict(noted, { itemId: ITEM, manifestId: "hash", ...HOLD }, VERDICT)]);
  await commitSnapshot(noted, COMMIT);
  await findManifest(noted, ORGANISATION, { itemId: ITEM, manifestId: "hash" });
  await findWholeVersion(noted, ORGANISATION, "snp_a");
  await listNearbyVersions(noted, ORGANISATION, { itemId: ITEM, takenAt: 1, most: { older: 1, newer: 1 } });
  const plans: string[] = [];
  for (const text of [...texts].filter((one) => one.includes("substr("))) {
    plans.push((await planOf(env.LEDGER_DE, text)).join("; "));
  }
  expect(plans).toHaveLength(8);
  for (const plan of plans)
    expect(plan).toMatch(
      /INDEX (object_row_item \(item=\? AND kind=\?|manifest_row_id \(item=\?) AND <expr>=\?/,
    );
  expect(plans[0]).toContain("INDEX object_row_item");
  for (const plan of plans.slice(1)) expect(plan).toContain("INDEX manifest_row_id");
});

test("hashes that start alike are told apart", async () => {
  const start = "01234567";
  await addObject({ id: "obj_a", kind: "stream", hash: `${start}aa` });
  const registry = objectRegistry(ledger, { organisationId: ORGANISATION, clock: { now: () => 1 } });
  expect(await registry.findStream(ITEM, `${start}bb`, "run_a")).toBeNull();
  expect(await registry.findStream(ITEM, `${start}aa`, "run_a")).toMatchObject({ id: "obj_a" });

  await addRun({ id: HOLD.runId, kind: "verify" });
  for (const id of ["a", "b"]) await addSnapshot({ id, manifestId: start + id });
  await commitTogether(ledger, [
    recordVerdict(ledger, { itemId: ITEM, manifestId: `${start}a`, ...HOLD }, VERDICT),
  ]);
  expect(await columnsOf(snapshot, "id, verify_state")).toEqual([
    ["a", "failed"],
    ["b", "verified"],
  ]);
});
