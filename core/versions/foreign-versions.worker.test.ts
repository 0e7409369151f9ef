import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { Member } from "#core/organisations/index.ts";
import { beginDraft, writeObject } from "#core/vault/index.ts";
import { makeOwner } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import * as commits from "./commit.store.ts";
import * as versions from "./index.ts";
import * as nearby from "./nearby.store.ts";
import * as spans from "./object-spans.store.ts";
import * as prune from "./prune.store.ts";
import * as registry from "./registry.store.ts";
import * as repack from "./repack.store.ts";
import * as restorePoints from "./restore-points.store.ts";
import * as snapshots from "./snapshots.store.ts";

const s = buildServices(env);
const ledger = s.ledger("DE");

/** Creates an item with one committed version that holds a stream with a companion. */
async function makeVersion({ organisationId }: Member) {
  const itemId = s.ids.next("item");
  const runId = s.ids.next("run");
  const snapshotId = s.ids.next("snapshot");
  const now = s.clock.now();
  await env.LEDGER_DE.batch([
    env.LEDGER_DE.prepare(
      `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
         visibility, details, status, is_daily, created_at)
       VALUES (?1, ?2, ?1, 'github', 'repository', '1', 'a', 'a', 'a', 'private', '{}', 'initialized', 1, ?3)`,
    ).bind(itemId, organisationId, now),
    env.LEDGER_DE.prepare(
      `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch, created_at)
       VALUES (?1, ?2, ?3, ?3, 'github', 'backup', 'user', 'running', 1, ?4)`,
    ).bind(runId, organisationId, itemId, now),
  ]);
  const vault = await versions.openVault(s, { organisationId, region: "DE" });
  const scope = { organisationId, itemId };
  const draft = await beginDraft(vault, { scope, runId, previous: null, resume: null });
  await draft.addStream({ path: "a.pack", kind: "git-pack" }, async (sink) => sink.write(new Uint8Array(9)));
  const result = await draft.finish({ apiVersion: "1", account: "octo" });
  const isVisible = await versions.commitSnapshot(ledger, {
    hold: { runId, epoch: 1, itemId },
    organisationId,
    snapshotId,
    takenAt: now,
    committedAt: now,
    expiresAt: now + DAY_MS,
    draft: result,
    item: {
      name: "a",
      fullName: "a",
      description: null,
      details: {},
    },
    verifyRunId: s.ids.next("run"),
    copyTo: null,
    bytesRead: 9,
  });
  expect(isVisible).toBe(true);
  const sourceObjectId = result.manifest.objects.find((id) => id !== result.manifest.root.object)!;
  const { id: objectId } = await writeObject(vault, { scope, kind: "companion", runId }, new Uint8Array(3));
  await registry.recordCompanion(ledger, { sourceObjectId, name: "idx", objectId, itemId, now });
  const hash = (await versions.findObject(ledger, organisationId, sourceObjectId))!.hash;
  return { itemId, snapshotId, manifestId: result.manifest.id, sourceObjectId, hash, takenAt: now };
}

type Version = Awaited<ReturnType<typeof makeVersion>>;

/** Calls every function that takes an organisation. Null, an empty list or an error reveals nothing. */
const asksFor = (
  { itemId, snapshotId, manifestId, sourceObjectId, hash, takenAt }: Version,
  organisationId: string,
): Record<string, () => Promise<unknown>> => ({
  findSnapshot: () => versions.findSnapshot(ledger, organisationId, snapshotId),
  findNewestSoundSnapshot: () => versions.findNewestSoundSnapshot(ledger, organisationId, itemId),
  findSoundSnapshotBefore: () =>
    versions.findSoundSnapshotBefore(ledger, { organisationId, itemId, takenAt: takenAt + 1 }),
  findWholeVersion: () => versions.findWholeVersion(ledger, organisationId, snapshotId),
  findManifest: () => versions.findManifest(ledger, organisationId, { itemId, manifestId }),
  findListedManifest: () => versions.findListedManifest(ledger, organisationId, { itemId, manifestId }),
  findObject: () => versions.findObject(ledger, organisationId, sourceObjectId),
  findObjects: async () =>
    (await versions.findObjects(ledger, organisationId, [sourceObjectId])).filter(Boolean),
  findCompanionObject: () =>
    registry.findCompanionObject(ledger, organisationId, { objectId: sourceObjectId, name: "idx" }),
  listRestorePointRows: () =>
    versions.listRestorePointRows(ledger, organisationId, { itemIds: [itemId], most: 9 }),
  listNearbyVersions: async () => {
    const order = { itemId, takenAt, most: { older: 9, newer: 9 } };
    return Object.values(await versions.listNearbyVersions(ledger, organisationId, order)).flat();
  },
  listManifests: () => versions.listManifests(ledger, { organisationId, itemId }),
  listPacks: () => versions.listPacks(ledger, { organisationId, itemId }),
  openVersion: async () => {
    const vault = await versions.openVault(s, { organisationId, region: "DE" });
    const view = await versions.openVersion(s, vault, { organisationId, region: "DE", itemId, manifestId });
    return view.find("a.pack");
  },
  objectRegistry: () =>
    registry
      .objectRegistry(ledger, { organisationId, clock: s.clock })
      .findStream(itemId, hash, "run_of_nobody"),
  // Last, because it deletes the bytes.
  takeObjectsOfItem: () => versions.takeObjectsOfItem(ledger, { organisationId, itemId }, 9),
});

/** Functions that no request reaches with an id of its choice, and why they take no organisation. */
const ASK_FOR_NONE: Record<string, string> = {
  commitSnapshot: "writes what the run holds",
  commitRepack: "writes what the run holds",
  addManifests: "writes what a rebuild has read from the organisation's own objects",
  planSpans: "reads for what the run holds",
  changeSpans: "writes what the run holds",
  planReplacement: "reads for what the run holds",
  replaceSpans: "writes what the run holds",
  listSpans: "its callers have found the item's manifests in the organisation",
  idLists: "shapes values",
  inParts: "shapes values",
  ARE_STORED: "a text",
  STAYS: "a text",
  STANDING_VERDICT: "a text",
  recordVerdict: "writes what the run holds",
  revokeLinks: "writes what the run holds",
  recordCompanion: "writes what the run holds",
  storeCompanion: "writes what the run holds",
  hasOtherOpenRun: "asks about what the run holds",
  eraseSnapshot: "its caller has found the version in the organisation, which the statement checks again",
  findSnapshotOfAnyone: "its caller asks for the right of the link's person",
  openVault: "opens the organisation it names; ids come later",
  listNewestSoundSnapshots: "takes the organisation it names, and no id of a version",
  openVaultWith: "opens with the organisation's key, which its caller has",
  stretchBehind: "the clock's sweep over all items",
  readSweepPosition: "the clock's sweep over all items",
  recordSweepPosition: "the clock's sweep over all items",
  dropLooseManifests: "the clock's sweep over all items",
  unmarkReferenced: "the clock's sweep over all items",
  markUnreferenced: "the clock's sweep over all items",
  takeUnreferenced: "the clock's sweep over all items",
  forgetObjects: "forgets what the sweep took before",
  listRepackCandidates: "the clock's sweep over all items",
  listLongUnverified: "the clock's sweep over all items",
  listExpired: "the clock's sweep over all items",
  expireSnapshots: "the clock's sweep over all items",
};

const tellsNothing = (answer: unknown) => answer === null || (Array.isArray(answer) && answer.length === 0);

const rowsOf = async (itemId: string) =>
  Promise.all(
    ["snapshot", "manifest", "object_span", "object", "companion"].map(
      async (table) =>
        (await env.LEDGER_DE.prepare(`SELECT * FROM ${table} WHERE item_id = ?`).bind(itemId).all()).results,
    ),
  );

test("ids of another organisation's version neither reveal nor change anything", async () => {
  const [owner, stranger] = [await makeOwner(s), await makeOwner(s)];
  const version = await makeVersion(owner);
  const before = await rowsOf(version.itemId);
  for (const [name, ask] of Object.entries(asksFor(version, stranger.organisationId))) {
    const answer = await ask().catch((cause: unknown) => {
      expect(cause).toMatchObject({ code: "err.snapshot.not.restorable" });
      return null;
    });
    expect(`${name}: ${tellsNothing(answer)}`).toBe(`${name}: true`);
  }
  const theirs = registry.objectRegistry(ledger, {
    organisationId: stranger.organisationId,
    clock: s.clock,
  });
  await theirs.discard([version.sourceObjectId]);
  const object = (await versions.findObject(ledger, owner.organisationId, version.sourceObjectId))!;
  await expect(theirs.complete({ ...object, hash: "another" })).rejects.toMatchObject({ kind: "missing" });
  expect(await rowsOf(version.itemId)).toEqual(before);
  for (const [name, ask] of Object.entries(asksFor(version, owner.organisationId)))
    expect(`${name}: ${tellsNothing(await ask())}`).toBe(`${name}: false`);
});

test("every function of the versions is tested with a foreign organisation or has a stated reason not to", async () => {
  const modules = [versions, commits, spans, nearby, prune, registry, repack, restorePoints, snapshots];
  const functions = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (typeof value === "function" ? [name] : [])),
  );
  const tried = Object.keys(asksFor({} as Version, ""));
  expect([...new Set(functions)].sort()).toEqual([...tried, ...Object.keys(ASK_FOR_NONE)].sort());
});
