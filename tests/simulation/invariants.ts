import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { contentOf, type Facts, factsIn } from "./board-facts.ts";
import type { CallCounts } from "./call-counts.ts";
import type { Complaints } from "./complaints.ts";
import type { DeployedWorker } from "./deployed-worker.ts";
import { openMoveJudge } from "./judge-moves.ts";
import { openRunJudge } from "./judge-runs.ts";
import type { Platform } from "./platform.ts";
import { REGION } from "./region-ledgers.ts";
import type { Life } from "./scheduler.ts";

/** A protected board, as the people in the world know it. */
export type Protected = { itemId: string; boardId: string; isRemoved: boolean; isPaused: boolean };

/** A restore that somebody asked for, and what the version held. */
export type AskedRestore = { runId: string; name: string; facts: Facts };

/** What the simulation knows of a world beside the product. */
export type Judged = {
  worker: DeployedWorker;
  platform: Platform;
  calls: CallCounts;
  complaints: Complaints;
  organisationId: string;
  items: readonly Protected[];
  /** Versions that their owner has erased. */
  erased: ReadonlySet<string>;
  restores: readonly AskedRestore[];
  now: () => number;
};

type Version = {
  id: string;
  item_id: string;
  run_id: string;
  taken_at: number;
  manifest_id: string;
  skipped_count: number;
  verify_state: string;
  verified_at: number | null;
  expires_at: number;
};

/** Judges a world. Each function returns one sentence per broken promise. */
export type Judge = {
  /** What must hold after every commit of the ledger, also in the middle of a run. `by` has committed. */
  lookAtStep(by: Life): string[];
  /** What is cheap to see: new versions, their order, expiry, calls. Reads every new version once. */
  look(): Promise<string[]>;
  /** Everything that is visible is there, and nothing else is. */
  lookDeep(): Promise<string[]>;
  /** Remembers what nobody needs now. Two and a half days later, at rest, it must be gone. */
  noteUnneeded(): Promise<void>;
  /** What must hold when nothing has gone wrong for some days. */
  lookAtRest(since: number): Promise<string[]>;
  /** What a version held when it was first seen. */
  factsOf(snapshotId: string): Facts | undefined;
  seen(): number;
  /** How often the organisation has moved to another ledger. */
  moves(): number;
};

/** The retention of the plan Pro (spec part 1, plans), in which every world lives. */
const KEPT_MS = 90 * DAY_MS;
/** A run without progress ends after two days; what this one waited for before may have taken as long. */
const OPEN_AT_MOST_MS = 5 * DAY_MS;
/** The verdict of a check stands for versions that did not change since (spec: every version is proved). */
const VERDICT_STANDS_MS = 7 * DAY_MS;
/** How often an e-mail may be handed over: a crash between that and its note repeats it with the same key. */
const SENT_AT_MOST = 4;
/** An e-mail is sent within minutes of quiet days. */
const MAILED_AFTER_MS = 2 * HOUR_MS;
/** The check of a version is queued with it, and waits for no time of day. */
const CHECKED_AFTER_MS = 6 * HOUR_MS;
/** Prune needs two marks a day apart, each up to some hours late. */
export const GONE_AFTER_MS = 2 * DAY_MS + 12 * HOUR_MS;

/** Opens the judge of a world. */
export function openJudge(world: Judged): Judge {
  const { worker, platform, now } = world;
  const { ledger, bucket } = worker;
  const known = new Map<string, { itemId: string; takenAt: number; facts: Facts }>();
  /** The newest version of each item in the order of their commits. */
  const newest = new Map<string, { id: string; takenAt: number }>();
  /** The newest version of each item that a check has found sound. */
  const sound = new Map<string, { id: string; takenAt: number }>();

  const moves = openMoveJudge(worker);
  const runs = openRunJudge(ledger);

  /** In the order of their commits. A move copies rows in the order of their keys, so that of rows alone may be another. */
  const versions = () =>
    ledger.rows<Version>(
      `SELECT snapshot.* FROM snapshot LEFT JOIN run ON run.id = snapshot.run_id
       ORDER BY coalesce(run.finished_at, run_finished_at), snapshot.rowid`,
    );

  const readVersion = (version: Version) =>
    worker.look(async (product, services) => {
      const vault = await product.openVault(services, {
        organisationId: world.organisationId,
        region: REGION,
      });
      const view = await product.openVersion(services, vault, {
        organisationId: world.organisationId,
        region: REGION,
        itemId: version.item_id,
        manifestId: version.manifest_id,
      });
      return await factsIn(view);
    });

  const judgeNew = async (version: Version): Promise<string[]> => {
    const faults: string[] = [];
    const { id, item_id: itemId, taken_at: takenAt } = version;
    const before = newest.get(itemId);
    if (before && takenAt <= before.takenAt)
      faults.push(`${id} was committed after ${before.id} and began at ${takenAt}, before ${before.takenAt}`);
    if (version.expires_at < takenAt + KEPT_MS || version.expires_at > takenAt + KEPT_MS + DAY_MS)
      faults.push(`${id} is kept for ${(version.expires_at - takenAt) / DAY_MS} days`);
    if (version.verified_at !== null && version.verified_at < takenAt - VERDICT_STANDS_MS)
      faults.push(`${id} counts as checked by a check that is older than a week`);
    const [run] = ledger.rows<{ endedAt: number }>(
      `SELECT coalesce(run.finished_at, run_finished_at) AS endedAt
       FROM snapshot LEFT JOIN run ON run.id = run_id WHERE snapshot.id = ?`,
      id,
    );
    const item = world.items.find((each) => each.itemId === itemId);
    if (!item) return [...faults, `${id} is of an item that nobody has protected`];
    const facts = await readVersion(version).catch((cause: unknown) => {
      faults.push(`${id} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
      return new Map<string, string>();
    });
    newest.set(itemId, { id, takenAt });
    known.set(id, { itemId, takenAt, facts });
    const held = platform.heldDuring(item.boardId, takenAt, run?.endedAt ?? now());
    const isPartial = version.skipped_count > 0;
    faults.push(...differences(facts, held, isPartial).map((text) => `${id} of ${itemId}: ${text}`));
    return faults;
  };

  /**
   * A version becomes visible together with the end of its run, which has a row or is folded into it, and an item has one
   * open backup.
   */
  const lookAtStep = (by: Life) => [
    ...moves.lookAtStep(),
    ...runs.lookAtStep(by),
    ...ledger
      .rows<{ id: string; status: string }>(
        `SELECT snapshot.id, coalesce(run.status, 'unknown') AS status FROM snapshot LEFT JOIN run ON run.id = snapshot.run_id
         WHERE run.status <> 'succeeded' OR run.snapshot_id <> snapshot.id
           OR (run.id IS NULL) <> (snapshot.run_created_at IS NOT NULL AND snapshot.run_finished_at IS NOT NULL)`,
      )
      .map(({ id, status }) => `${id} is visible and its run is ${status}, or not as its row says`),
    ...ledger
      .rows<{ item_id: string; n: number }>(
        "SELECT item_id, count(*) AS n FROM run WHERE kind = 'backup' AND status IN ('queued', 'running') GROUP BY item_id HAVING n > 1",
      )
      .map(({ item_id: itemId, n }) => `${itemId} has ${n} open backups`),
  ];

  /** The newest sound version of an item that exists never goes by itself. */
  const judgeNewest = (all: readonly Version[]): string[] => {
    const ids = new Set(all.map(({ id }) => id));
    const faults: string[] = [];
    for (const [itemId, { id }] of sound) {
      const item = world.items.find((each) => each.itemId === itemId);
      if (!ids.has(id) && !world.erased.has(id) && item && !item.isRemoved)
        faults.push(`${id}, the newest sound version of ${itemId}, is gone`);
    }
    sound.clear();
    for (const { id, item_id: itemId, taken_at: takenAt, verify_state: state } of all)
      if (state !== "failed" && takenAt >= (sound.get(itemId)?.takenAt ?? 0))
        sound.set(itemId, { id, takenAt });
    return faults;
  };

  const look = async () => {
    const all = versions();
    const faults = judgeNewest(all);
    for (const version of all) if (!known.has(version.id)) faults.push(...(await judgeNew(version)));
    for (const { id, verify_state: state } of all)
      if (state === "failed") faults.push(`the check of ${id} says that it is broken`);
    for (const { id } of all) if (world.erased.has(id)) faults.push(`${id} was erased and is there again`);
    return [
      ...faults,
      ...moves.look(),
      ...runs.look(),
      ...deletions(),
      ...hidden(),
      ...unmarked(),
      ...doubledMails(),
      ...brokenLinks(),
      ...world.calls.faults(),
      ...world.complaints.faults(),
    ];
  };

  /** Lists show each item with its newest version. */
  const hidden = () =>
    ledger
      .rows<{ id: string }>(
        `SELECT item.id FROM item JOIN snapshot ON snapshot.id =
           (SELECT id FROM snapshot WHERE item_id = item.id ORDER BY taken_at DESC, id DESC LIMIT 1)
         WHERE item.last_snapshot_id IS NOT snapshot.id`,
      )
      .map(({ id }) => `${id} does not show its newest version`);

  /** What was erased or deleted has left its mark in the bucket, so that no rebuilt ledger shows it again. */
  const unmarked = () => {
    const marks = [...bucket.objects.keys()].filter((key) => key.startsWith("erased/"));
    const gone = [
      ...world.erased,
      ...ledger
        .rows<{ id: string }>("SELECT item_id AS id FROM run WHERE kind = 'delete' AND status = 'succeeded'")
        .map(({ id }) => id),
    ];
    return gone
      .filter((id) => !marks.some((key) => key.split("/").includes(id)))
      .map((id) => `${id} was erased without a mark`);
  };

  /** What the owner of a live link downloads stays, also when its version has expired. */
  const brokenLinks = () =>
    ledger
      .rows<{ id: string; manifest: number; layout: number }>(
        `SELECT export.id, manifest.id IS NOT NULL AS manifest, object.id IS NOT NULL AS layout
         FROM export LEFT JOIN manifest ON manifest.item_id = export.item_id AND manifest.id = export.manifest_id
         LEFT JOIN object ON object.id = export.layout_object_id AND object.status = 'stored'
         WHERE export.status = 'ready' AND export.revoked_at IS NULL AND export.expires_at > ?
           AND (manifest.id IS NULL OR (object.id IS NULL AND export.layout_object_id IS NOT NULL))`,
        now(),
      )
      .map(({ id, layout }) => `the live link ${id} has lost its ${layout ? "manifest" : "layout"}`);

  /** One e-mail per restore, however often its run repeats. */
  const doubledMails = () => [
    ...[...worker.sentMails]
      .filter(([, times]) => times > SENT_AT_MOST)
      .map(([key, times]) => `the e-mail ${key} was sent ${times} times`),
    ...world.restores.flatMap(({ runId, name }) => {
      const { length } = mailsOf(runId);
      return length > 1 ? [`there are ${length} e-mails about the restore ${name}`] : [];
    }),
  ];
  const mailsOf = (runId: string) =>
    worker.control.rows<{ id: string; status: string }>(
      "SELECT id, status FROM mail_outbox WHERE occasion LIKE ?",
      `restore-finished:${runId}:%`,
    );

  /** A deletion that has succeeded has left nothing that was there when it began. */
  const deletions = () =>
    ledger
      .rows<{ id: string; n: number }>(
        `SELECT run.item_id AS id, count(*) AS n FROM run JOIN object ON object.item_id = run.item_id
         WHERE run.kind = 'delete' AND run.status = 'succeeded' AND object.created_at < run.started_at
         GROUP BY run.item_id`,
      )
      .map(({ id, n }) => `the deletion of ${id} has succeeded and left ${n} objects`);

  /** The objects that something visible needs, read from the manifests through the product's reader of references. */
  const neededObjects = async (): Promise<{ needed: Set<string>; faults: string[] }> => {
    const needed = new Set<string>();
    const faults: string[] = [];
    const manifests = ledger.rows<{ item_id: string; manifest_id: string }>(
      `SELECT DISTINCT item_id, manifest_id FROM snapshot
       UNION SELECT item_id, manifest_id FROM export WHERE status IN ('pending', 'ready') AND revoked_at IS NULL`,
    );
    for (const { item_id: itemId, manifest_id: manifestId } of manifests) {
      const found = await worker.look((product, services) =>
        product.findListedManifest(services.ledger(REGION, world.organisationId), world.organisationId, {
          itemId,
          manifestId,
        }),
      );
      if (!found) faults.push(`manifest ${manifestId} of ${itemId} is missing`);
      for (const id of found ? [found.root.object, ...found.objects] : []) needed.add(id);
    }
    const more = ledger.rows<{ id: string }>(
      `SELECT layout_object_id AS id FROM export
         WHERE status IN ('pending', 'ready') AND revoked_at IS NULL AND layout_object_id IS NOT NULL
       UNION SELECT object_id FROM name_index
       UNION SELECT object.id FROM object JOIN manifest ON manifest.item_id = object.item_id
         AND manifest.id = object.manifest_id`,
    );
    for (const { id } of more) needed.add(id);
    return { needed, faults };
  };

  /** Every state of an item is described in the bucket too, so that a lost ledger can be rebuilt. */
  const undescribed = () =>
    ledger
      .rows<{ id: string }>(
        `SELECT id FROM snapshot WHERE NOT EXISTS (SELECT 1 FROM object
           WHERE object.item_id = snapshot.item_id AND object.manifest_id = snapshot.manifest_id
             AND object.status = 'stored')`,
      )
      .map(({ id }) => `the bucket does not describe ${id}`);

  /** The trail of what people did is whole, and so says each day's anchor in the vault. */
  const trail = async (): Promise<string[]> => {
    const report = await worker.look((product, services) => product.checkAudit(services));
    return report.kind === "whole" ? [] : [`the trail is not whole: ${JSON.stringify(report)}`];
  };

  const lookDeep = async () => {
    const { needed, faults } = await neededObjects();
    faults.push(...(await trail()));
    faults.push(...undescribed());
    const objects = ledger.rows<{ id: string; key: string; status: string; stored_bytes: number }>(
      "SELECT id, key, status, stored_bytes FROM object",
    );
    const byId = new Map(objects.map((object) => [object.id, object]));
    for (const id of needed) {
      const object = byId.get(id);
      const bytes = bucket.objects.get(object?.key ?? "");
      if (object?.status !== "stored")
        faults.push(`object ${id} is needed and ${object?.status ?? "unknown"}`);
      else if (bytes === undefined) faults.push(`the bytes of ${id} are needed and gone`);
      else if (bytes.length !== object.stored_bytes) faults.push(`the bytes of ${id} have another length`);
    }
    const keys = new Set(objects.map(({ key }) => key));
    for (const key of bucket.objects.keys())
      if (!keys.has(key) && !key.startsWith("erased/")) faults.push(`bytes at ${key} are known to nobody`);
    for (const { id, kind } of ledger.rows<{ id: string; kind: string }>(
      "SELECT id, kind FROM run WHERE status IN ('queued', 'running') AND created_at < ?",
      now() - OPEN_AT_MOST_MS,
    ))
      faults.push(`${kind} ${id} does not end`);
    for (const { id } of ledger.rows<{ id: string }>(
      "SELECT id FROM run WHERE (status IN ('queued', 'running')) <> (finished_at IS NULL)",
    ))
      faults.push(`run ${id} is open by its status or by its end, and not by both`);
    for (const { id } of ledger.rows<{ id: string }>(
      "SELECT run_id AS id FROM snapshot GROUP BY run_id HAVING count(*) > 1",
    ))
      faults.push(`run ${id} has made two versions`);
    for (const { name } of world.restores) {
      const { length } = platform.boardsNamed(name);
      if (length > 1) faults.push(`the restore ${name} has made ${length} boards`);
    }
    return faults;
  };

  const lookAtRest = async (since: number) => {
    const faults = await lookDeep();
    for (const { id, kind, phase } of ledger.rows<{ id: string; kind: string; phase: string | null }>(
      "SELECT id, kind, phase FROM run WHERE status IN ('queued', 'running') AND created_at < ?",
      now() - 2 * HOUR_MS,
    ))
      faults.push(`${kind} ${id} is still open: ${phase}`);
    for (const { id } of ledger.rows<{ id: string }>(
      `SELECT id FROM item WHERE active_run_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = item.active_run_id AND status IN ('queued', 'running'))`,
    ))
      faults.push(`${id} is locked by nobody`);
    faults.push(
      ...moves.lookAtRest(),
      ...(await changedVersions()),
      ...(await stillUnneeded()),
      ...expired(),
      ...itemsAtRest(since),
      ...unchecked(since),
      ...removedItems(),
      ...restoresAtRest(),
      ...waitingMails(),
    );
    return faults;
  };

  /** Every version still holds what it held when it was new. */
  const changedVersions = async () => {
    const faults: string[] = [];
    for (const version of versions()) {
      const was = known.get(version.id)?.facts;
      const is = await readVersion(version).catch((cause: unknown) => String(cause));
      if (typeof is === "string") faults.push(`${version.id} cannot be read: ${is}`);
      else if (was && contentOf(is) !== contentOf(was))
        faults.push(`${version.id} holds something else than before`);
    }
    return faults;
  };

  const unneeded = async () => {
    const { needed } = await neededObjects();
    const companions = ledger.rows<{ object_id: string; source_object_id: string }>(
      "SELECT * FROM companion",
    );
    for (const { object_id: id, source_object_id: source } of companions)
      if (needed.has(source)) needed.add(id);
    return ledger
      .rows<{ id: string; kind: string }>("SELECT id, kind FROM object")
      .filter(({ id }) => !needed.has(id));
  };

  /** An old object may lose its last need late, e.g. by a repack: what counts is since when nobody needs it. */
  let longUnneeded = new Set<string>();
  const noteUnneeded = async () => {
    longUnneeded = new Set((await unneeded()).map(({ id }) => id));
  };
  const stillUnneeded = async () =>
    (await unneeded())
      .filter(({ id }) => longUnneeded.has(id))
      .map(({ id, kind }) => `${kind} ${id} is needed by nobody and still there`);

  /**
   * What the plan keeps no longer goes, except the newest versions of an item, and those that an alarm keeps until somebody
   * has seen it.
   */
  const expired = () =>
    ledger
      .rows<{ id: string; item_id: string }>(
        `SELECT id, item_id FROM snapshot WHERE expires_at < ?
         AND id NOT IN (SELECT kept_snapshot_id FROM alarm WHERE kept_snapshot_id IS NOT NULL AND acknowledged_at IS NULL)`,
        now() - DAY_MS,
      )
      .filter(({ id, item_id: itemId }) => newest.get(itemId)?.id !== id && sound.get(itemId)?.id !== id)
      .map(({ id }) => `${id} has expired and is still there`);

  /** Every item has a version of these days that shows the platform's state. */
  const itemsAtRest = (since: number) =>
    world.items.flatMap(({ itemId, boardId, isRemoved, isPaused }) => {
      const held = platform.heldDuring(boardId, now(), now());
      if (isRemoved || isPaused || held.length === 0 || platform.isGone(boardId)) return [];
      const last = newest.get(itemId);
      if (!last || last.takenAt < since) return [`${itemId} has no version of the last quiet days`];
      return differences(known.get(last.id)!.facts, held, false).map((text) => `${itemId} at rest: ${text}`);
    });

  /** In quiet days the check of a version follows its commit. */
  const unchecked = (since: number) =>
    ledger
      .rows<{ id: string }>(
        "SELECT id FROM snapshot WHERE verify_state = 'queued' AND taken_at BETWEEN ? AND ?",
        since,
        now() - CHECKED_AFTER_MS,
      )
      .map(({ id }) => `${id} has not been checked`);

  const removedItems = () =>
    world.items
      .filter(({ isRemoved }) => isRemoved)
      .flatMap(({ itemId }) =>
        ["snapshot", "manifest", "object", "name_index", "numbered_item"].flatMap((table) =>
          ledger.rows(`SELECT 1 FROM ${table} WHERE item_id = ? LIMIT 1`, itemId).length > 0
            ? [`${itemId} was removed and has rows in ${table}`]
            : [],
        ),
      );

  const waitingMails = () =>
    worker.control
      .rows<{ id: string; status: string }>(
        "SELECT id, status FROM mail_outbox WHERE status = 'queued' AND created_at < ?",
        now() - MAILED_AFTER_MS,
      )
      .map(({ id, status }) => `the e-mail ${id} was not sent: it is ${status}`);

  const restoresAtRest = () =>
    world.restores.flatMap(({ runId, name, facts }) => {
      const [run] = ledger.rows<{ status: string }>("SELECT status FROM run WHERE id = ?", runId);
      if (run?.status !== "succeeded") return [];
      const [mail] = mailsOf(runId);
      if (mail && !worker.sentMails.has(mail.id))
        return [`the e-mail about the restore ${name} was not sent: it is ${mail.status}`];
      const [made] = platform.boardsNamed(name);
      if (!made) return [`the restore ${name} succeeded and there is no board`];
      const [is, was] = [contentOf(made), contentOf(facts)];
      return is === was ? [] : [`the restore ${name} gave back something else:\n${is}\ninstead of\n${was}`];
    });

  return {
    lookAtStep,
    look,
    lookDeep,
    noteUnneeded,
    lookAtRest,
    factsOf: (id) => known.get(id)?.facts,
    seen: () => known.size,
    moves: moves.moves,
  };
}

/**
 * What in a version was never on the board while it was read. Without changes in that time `held` is one state, and the
 * version must equal it.
 *
 * @param isPartial The version itself says that it could not read everything.
 */
function differences(facts: Facts, held: readonly Facts[], isPartial: boolean): string[] {
  if (held.length === 0) return ["there was no such board"];
  const paths = new Set([...facts.keys(), ...held.flatMap((state) => [...state.keys()])]);
  const faults: string[] = [];
  for (const path of paths) {
    const said = facts.get(path);
    if (held.some((state) => state.get(path) === said)) continue;
    if (isPartial && said === undefined) continue;
    faults.push(`${path} says ${said} instead of ${held.map((state) => state.get(path)).join(" or ")}`);
  }
  return faults.slice(0, 3);
}
