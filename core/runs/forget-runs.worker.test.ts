import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { restoreJournal, run } from "#core/database/ledger/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import { addRun, addSnapshot, columnsOf, ledger } from "#tests/harness/ledger-rows.ts";
import { deleteUnshown } from "./forget-runs.store.ts";
import { forgetRuns } from "./forget-runs.ts";

const NOW = Date.UTC(2026, 10, 28);
const OLD = NOW - 8 * DAY_MS - 1;
const services = { clock: { now: () => NOW }, ledger: () => ledger };

beforeEach(emptyEverything);

const ids = async () => (await columnsOf(run, "id")).map(([id]) => id);

test("runs that nothing shows are forgotten after two days, repacks and deletions after eight; all others stay", async () => {
  for (const kind of ["verify", "repack", "replicate", "delete"] as const) {
    const days = kind === "repack" || kind === "delete" ? 8 : 2;
    const of = { itemId: `itm_${kind}`, createdAt: NOW - days * DAY_MS - 1 };
    await addRun({ id: `gone ${kind}`, kind, status: "succeeded", ...of });
    await addRun({
      id: `kept ${kind}, new`,
      kind,
      status: "succeeded",
      ...of,
      createdAt: NOW - days * DAY_MS,
    });
    await addRun({ id: `kept ${kind}, failed`, kind, status: "failed", ...of });
    await addRun({ id: `kept ${kind}, open`, kind, status: "queued", ...of });
  }
  const backup = { kind: "backup", createdAt: OLD } as const;
  await addRun({ id: "gone backup, superseded", ...backup, status: "superseded" });
  await addRun({ id: "kept backup", ...backup, status: "succeeded" });
  await addRun({ id: "kept backup, failed", ...backup, status: "failed" });
  await addRun({ id: "kept restore", kind: "restore", status: "succeeded", createdAt: OLD });
  await addRun({ id: "kept export", kind: "export", status: "succeeded", createdAt: OLD });
  const kept = (await ids()).filter((id) => String(id).startsWith("kept"));
  expect(await forgetRuns(services, "DE")).toEqual({ done: 5, hasMore: false });
  expect(await ids()).toEqual(kept);
});

test("a removed item's successful backups go with the run that deleted its bytes", async () => {
  await addRun({
    id: "gone delete",
    kind: "delete",
    status: "succeeded",
    itemId: "itm_gone",
    createdAt: OLD,
  });
  const backup = { kind: "backup", status: "succeeded", itemId: "itm_gone", createdAt: OLD } as const;
  await addRun({ id: "gone backup", ...backup });
  await addRun({ id: "kept, failed", ...backup, status: "failed" });
  await addRun({ id: "kept, erased", ...backup, erasedAt: 5 });
  await addRun({ id: "kept, with a version", ...backup, snapshotId: "snp_a", finishedAt: NOW });
  await addSnapshot({ id: "snp_a", itemId: "itm_gone", runId: "kept, with a version" });
  await addRun({ id: "kept, of another item", ...backup, itemId: "itm_here" });
  await forgetRuns(services, "DE");
  expect(await ids()).toEqual([
    "kept, erased",
    "kept, failed",
    "kept, of another item",
    "kept, with a version",
  ]);
});

test("what a restore recorded is forgotten eight days later, unless it still runs", async () => {
  await addRun({ id: "run_over", kind: "restore", status: "succeeded" });
  await addRun({ id: "run_open", kind: "restore", status: "running" });
  const entries = [
    { runId: "run_over", key: "old", createdAt: OLD },
    { runId: "run_over", key: "new", createdAt: NOW },
    { runId: "run_open", key: "old", createdAt: OLD },
  ];
  await ledger.insert(restoreJournal).values(entries.map((entry) => ({ ...entry, value: {} })));
  await forgetRuns(services, "DE");
  expect(await columnsOf(restoreJournal, "run_id, key")).toEqual([
    ["run_open", "old"],
    ["run_over", "new"],
  ]);
});

test("one statement deletes a limited number of rows, the oldest first", async () => {
  for (let at = 0; at < 5; at++)
    await addRun({ id: `run_${at}`, kind: "verify", status: "succeeded", createdAt: OLD - at });
  expect(await deleteUnshown(ledger, { before: NOW, needed: NOW, limit: 3 })).toEqual({
    runs: 3,
    needed: 0,
    journal: 0,
  });
  expect(await ids()).toEqual(["run_0", "run_1"]);
});

test("an organisation's tallies end forty days before its newest hour", async () => {
  const add = (hour: number, organisation = "org_a") => [
    env.LEDGER_DE.prepare(
      `INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
       VALUES (?, 'con', ?, 1, 0, 0, 0)`,
    ).bind(organisation, hour),
    env.LEDGER_DE.prepare("INSERT INTO storage_tally (organisation_id, hour, bytes) VALUES (?, ?, 1)").bind(
      organisation,
      hour,
    ),
  ];
  await env.LEDGER_DE.batch([...add(1), ...add(1, "org_b"), ...add(2), ...add(962)]);
  for (const table of ["backup_tally", "storage_tally"]) {
    const rows = await env.LEDGER_DE.prepare(
      `SELECT organisation_id, hour FROM ${table} ORDER BY 1, 2`,
    ).raw();
    expect(rows).toEqual([
      ["org_a", 2],
      ["org_a", 962],
      ["org_b", 1],
    ]);
  }
});
