import { expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { canManage } from "#core/organisations/permissions.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { itemOf, progressOf, rowOf } from "#tests/harness/view-fixtures.ts";
import { HistoryPage, mergeVersions } from "./history-page.tsx";
import { growthNote, oldestNote } from "./item-facts.tsx";
import { monthTicks } from "./item-ribbon.tsx";
import type { HistoryPageData } from "./queries.server.ts";
import { sparkPoints } from "./sparkline.tsx";
import { UnprovenNote } from "./version-notes.tsx";

const now = Date.parse("2026-11-20T13:26:00Z");
const taken = Date.parse("2026-11-20T01:14:00Z");
const good = rowOf({
  date: taken,
  sizeBytes: 1_200_000_000,
  keptUntil: Date.parse("2026-12-20T01:14:00Z"),
  verify: { state: "verified", at: taken + 17 * 60_000, text: null },
});

test("[P-084] [P-085] [P-088] [P-089] the page has a back link, a link to the item at its platform, its name and the platform's logo", () => {
  const html = page();
  expect(html).toContain('href="/platform/dashboard/github?place=plc_1"');
  expect(html).toContain('href="https://github.com/meridian-freight/carrier-sync" target="_blank"');
  expect(html).toMatch(/<h1><span role="img" aria-label="GitHub">/);
  expect(textOf(/<h1>.*<\/h1>/.exec(html)?.[0] ?? "")).toContain("carrier-sync");
});

test("[P-092] [P-093] [P-094] [P-097] [P-098] the table has date, time, type, size and status, and no incremental size", () => {
  const heads = [...page().matchAll(/<th [^>]*>(.*?)<\/th>/g)].map(([, inner]) => textOf(inner ?? ""));
  expect(heads).toEqual(["Date", "Time", "Type", "Size", "Status", "Verified", "Kept until", "Actions"]);
  expect(textOf(tableOf(page()))).toContain("20 Nov 02:14 Backup 1.2 GB Success verified 02:31 20 Dec");
});

test("[P-086] [P-087] a Jira project has How To Restore for the owner and its admins only", () => {
  const item = itemOf({ platform: "jira", kind: "project" });
  const shownTo = (asker: Parameters<typeof canManage>[0]) =>
    textOf(page({ item, canManage: canManage(asker, "jira") })).includes("How To Restore");
  const member = (platformRoles: Record<string, "admin" | "user">) =>
    ({ role: "member", platformRoles }) as const;
  expect(shownTo({ role: "owner", platformRoles: {} })).toBe(true);
  expect(shownTo(member({ jira: "admin" }))).toBe(true);
  expect(shownTo(member({ jira: "user" }))).toBe(false);
  expect(shownTo(member({ jira: "user", github: "admin" }))).toBe(false);
  expect(textOf(page())).not.toContain("How To Restore");
});

test("[P-099] [P-100] a successful backup can be downloaded, cloned and restored", () => {
  const html = tableOf(page());
  expect(html).toContain('aria-label="Request ZIP, 20 Nov 02:14"');
  expect(html).toContain('aria-label="Clone, 20 Nov 02:14"');
  expect(html).toContain('aria-label="Restore 20 Nov 02:14"');
});

test("versions are ticked for a comparison by those who may read them, and twins of a minute show seconds", () => {
  const twin = rowOf({ key: "run_t", snapshotId: "snp_t", date: taken + 41_000 });
  const html = page({ rows: [twin, good] });
  expect(textOf(html)).toContain("Tick two versions to compare them.");
  expect(html).toContain('aria-label="Tick the version of 20 Nov 02:14:41"');
  expect(html).toContain('aria-label="Tick the version of 20 Nov 02:14:00"');
  expect(page({ canManage: false })).not.toContain("Tick");
});

test("[P-095] [P-101] View scope and the incremental size are in the rows of platforms that have them", () => {
  const html = (platform: string) => tableOf(page({ item: { platform } }));
  expect(html("notion")).toContain('aria-label="View scope, 20 Nov 02:14"');
  for (const { id } of descriptors.filter(({ id }) => id !== "notion"))
    expect(html(id)).not.toContain("View scope");
  for (const id of ["trello", "jira", "notion"]) expect(html(id)).toContain("Incremental size");
  for (const id of ["github", "gitlab"]) expect(html(id)).not.toContain("Incremental size");
});

test("failed and running rows have no actions, and a date is shown once per day", () => {
  const failed = rowOf({
    key: "run_f",
    status: "failed",
    date: taken - 60_000,
    snapshotId: null,
    verify: null,
  });
  const html = tableOf(page({ rows: [good, failed] }));
  expect(html.match(/aria-label="Restore /g)).toHaveLength(1);
  expect(html.match(/<td class="mono ledger-date">20 Nov<\/td>/g)).toHaveLength(1);
  expect(html).toContain('<span class="rep">20 Nov</span>');
});

test("[P-194] a failed restore says what happened, what is kept, and to check the account", () => {
  const failed = rowOf({
    key: "run_r",
    type: "restore",
    status: "failed",
    date: taken,
    errorText: "GitHub refused the push.",
    snapshotId: null,
    verify: null,
  });
  const text = textOf(page({ rows: [failed] }));
  expect(text).toContain("GitHub refused the push.");
  expect(text).toContain("The original and every version are untouched.");
  expect(text).toContain("Check your GitHub account");
});

test("a verified version lists on demand what could not be checked further", () => {
  const text =
    "lfs/: Only this check found 3 files of Git LFS.\ngit/packs/0001-0001.pack: It is not indexed: too large.";
  const intact = { ...good, verify: { state: "intact", at: taken, text } as const };
  const html = page({ rows: [intact] });
  expect(html).toMatch(
    /aria-expanded="false" title="Show what could not be looked into"><span [^>]*>.*bytes proved/,
  );
  expect(textOf(html)).toContain("not all of it could be looked into");
  const note = textOf(renderScreen(<UnprovenNote row={intact} />));
  expect(note).toContain("lfs/ Only this check found 3 files of Git LFS. git/packs/0001-0001.pack It is not");
  expect(page({ rows: [good] })).not.toContain("Show what could not be looked into");
});

test("a failed backup names the version to restore instead, and the next run", () => {
  const failed = rowOf({
    key: "run_f",
    status: "failed",
    date: taken + 60_000,
    errorText: "GitHub answered 502.",
    snapshotId: null,
    verify: null,
  });
  const text = textOf(
    page({ rows: [failed, good], item: { nextDueAt: Date.parse("2026-11-21T01:14:00Z") } }),
  );
  expect(text).toContain("the version of 20 Nov 02:14 can be restored");
  expect(text).toContain("The next run is planned for 21 Nov 02:14.");
});

test("a running backup shows phase, amount and progress, with a link to the platform", () => {
  const progress = progressOf({
    done: 412,
    total: 980,
    unit: "objects",
    startedAt: now - 108_000,
    expectedEndAt: now + 108_000,
  });
  const running = rowOf({ key: "run_1", status: "running", date: now - 108_000, snapshotId: null, progress });
  const html = page({ rows: [running, good], item: { activeRun: progress } });
  expect(html).toContain('aria-valuenow="50"');
  expect(textOf(html)).toContain("Backing up");
  expect(textOf(html)).toContain("412 of 980");
  expect(textOf(html)).toContain("Visit GitHub");
});

test("[P-220] a ready ZIP is a link in a new tab with the hours and minutes it still works", () => {
  const zip = { status: "ready", url: "/zip/1", expiresAt: now + (3 * 60 + 12) * 60_000 } as const;
  const html = page({ rows: [{ ...good, zip }] });
  expect(html).toMatch(/<a class="zip-state link" href="\/zip\/1" target="_blank"/);
  expect(textOf(html)).toContain("ZIP, 3 h 12 m left");
});

test("the other states of a ZIP have texts", () => {
  const states = { pending: "Preparing ZIP", expired: "ZIP expired", failed: "ZIP failed" } as const;
  for (const [status, words] of Object.entries(states)) {
    const zip = { status: status as keyof typeof states, url: null, expiresAt: null };
    expect(textOf(page({ rows: [{ ...good, zip }] }))).toContain(words);
  }
});

test("[P-299] [P-300] without the right, restore and download are disabled with a reason", () => {
  const html = page({ canManage: false });
  const closed = [...html.matchAll(/<button[^>]*aria-description="Ask an owner for Read\/Write"[^>]*>/g)];
  for (const [button] of closed) expect(button).toContain('aria-disabled="true"');
  const labels = closed.map(([button]) => /aria-label="([^"]*)"/.exec(button)?.[1]);
  expect(labels).toEqual(["Request ZIP, 20 Nov 02:14", "Clone, 20 Nov 02:14", "Restore 20 Nov 02:14"]);
  const latest = /<button[^>]*>(?=(?:(?!<\/button>).)*Restore latest good)/;
  expect(latest.exec(html)?.[0]).toContain('aria-disabled="true"');
  expect(latest.exec(page())?.[0]).not.toContain("aria-disabled");
  expect(textOf(html)).toContain("Restore latest good Ask an owner for Read/Write");
});

test("[P-160] [P-311] a version that may not be restored is disabled for everybody", () => {
  const html = page({ rows: [{ ...good, canRestore: false }] });
  const restore = /<button[^>]*aria-label="Restore 20 Nov 02:14"[^>]*>/;
  const closed = restore.exec(html)?.[0];
  expect(closed).toContain('aria-disabled="true"');
  expect(closed).toContain('aria-description="This version cannot be restored"');
  expect(restore.exec(page())?.[0]).not.toContain("aria-disabled");
});

test("an item deleted at the platform can still be restored and downloaded", () => {
  const html = page({ item: { status: "deleted" } });
  expect(textOf(html)).toContain("Gone at GitHub");
  expect(html).not.toContain("aria-description");
  expect(textOf(html)).not.toContain("Restore latest good There is");
});

test("an item without a version says what comes next", () => {
  const text = textOf(
    page({ rows: [], item: { status: "initialized", versionCount: 0, lastBackupAt: null } }),
  );
  expect(text).toContain("No version yet The first backup is planned.");
  expect(text).toContain("Restore latest good First backup not finished");
});

test("the footer counts the rows of all pages", () => {
  expect(textOf(page({ total: 181 }))).toContain("Showing 1 to 10 of 181");
});

test("a restore links to the new item", () => {
  const restored = rowOf({
    key: "run_r",
    type: "restore",
    date: taken,
    verify: null,
    restoredTo: {
      name: "carrier-sync_restored",
      url: "https://github.com/meridian-freight/carrier-sync_restored",
    },
  });
  const html = page({ rows: [restored] });
  expect(html).toContain('href="https://github.com/meridian-freight/carrier-sync_restored" target="_blank"');
});

test("a restore is complete, complete with notes, or incomplete; only incomplete ones need attention", () => {
  const textFor = (outcome: HistoryRow["outcome"]) => {
    return tableOf(page({ rows: [rowOf({ key: "run_r", type: "restore", verify: null, outcome })] }));
  };
  expect(textOf(textFor({ missing: 0, notes: 0 }))).toMatch(/Restored (?!·)/);
  expect(textOf(textFor({ missing: 0, notes: 1 }))).toContain("Restored · 1 note");
  expect(textFor({ missing: 0, notes: 3 })).not.toMatch(/warn-t|badge-bad/);
  expect(textOf(textFor({ missing: 2, notes: 3 }))).toMatch(/KB Incomplete \d/);
  expect(textFor({ missing: 2, notes: 3 })).toContain("badge-bad");
  expect(textFor({ missing: 0, notes: 0 })).toContain(
    'href="/platform/backups/github/restored?id=itm_1&amp;run=run_r"',
  );
  expect(textFor(null)).not.toContain("/restored?");
});

test("selectable versions are the page's and the newest, without duplicates, newest first", () => {
  const older = rowOf({ key: "run_older", date: 1 });
  const merged = mergeVersions([older], [good, older]);
  expect(merged.map(({ key }) => key)).toEqual(["run_0", "run_older"]);
});

test("only known facts are shown", () => {
  const day = (date: string, versions: number) =>
    ({ date, state: versions > 0 ? "good" : "missed", versions, isRestored: false }) as const;
  const ribbon = [day("2026-10-31", 0), day("2026-11-01", 1), day("2026-11-02", 1)];
  expect(oldestNote({ versionCount: 2, ribbon })).toBe("oldest 1 Nov");
  expect(oldestNote({ versionCount: 3, ribbon })).toBe("");
  expect(oldestNote({ versionCount: 0, ribbon })).toBe("none yet");
  expect(growthNote([])).toBe("");
  expect(growthNote([5])).toBe("newest version");
  expect(growthNote([1_000_000, 3_000_000])).toBe("+2.0\u00a0MB over 2 versions");
  expect(growthNote([3_000_000, 1_000_000])).toBe("\u22122.0\u00a0MB over 2 versions");
});

test("month ticks do not overlap the labels at both ends", () => {
  const days = Array.from({ length: 90 }, (_, index) => ({
    date: new Date(Date.UTC(2026, 7, 23 + index)).toISOString().slice(0, 10),
    state: "good" as const,
    versions: 1,
    isRestored: false,
  }));
  expect(monthTicks(days).map(({ date }) => date)).toEqual(["2026-10-01", "2026-11-01"]);
});

test("a sparkline stays inside its frame and is centred when nothing changes", () => {
  expect(sparkPoints([1, 2, 3])).toEqual([
    [3, 29],
    [66, 16],
    [129, 3],
  ]);
  expect(sparkPoints([5, 5]).map(([, y]) => y)).toEqual([16, 16]);
});

function page(
  over: {
    rows?: HistoryRow[];
    item?: Partial<ItemView>;
    canManage?: boolean;
    isOwner?: boolean;
    status?: "active" | "revoked";
    total?: number;
  } = {},
): string {
  const rows = over.rows ?? [good];
  const data: HistoryPageData & { name: string } = {
    item: itemOf({ lastBackupAt: taken, ...over.item }),
    name: "carrier-sync",
    page: 0,
    history: { rows, total: over.total ?? rows.length },
    recent: rows,
    places: [],
    placeName: "meridian-freight",
    connection: { region: "DE", name: "meridian-freight", accountId: null, status: over.status ?? "active" },
    plan: { plan: "trial", periodMs: 86_400_000 },
    alarms: [],
    alarmLimits: { lostPercent: 50, lostCount: 500 },
    isOwner: over.isOwner ?? false,
    canManage: over.canManage ?? true,
    timeZone: "Europe/Berlin",
    now,
  };
  return renderScreen(<HistoryPage data={data} />, "/platform/backups/github?id=itm_1");
}

function tableOf(html: string): string {
  return /<table.*<\/table>/s.exec(html)?.[0] ?? "";
}

test("a version that its platform does not take back says so, and its restore is off", () => {
  const restoreObstacle = "GitHub takes no repositories of the SHA-256 format.";
  const html = page({ rows: [{ ...good, canRestore: false, restoreObstacle }] });
  expect(textOf(tableOf(html))).toContain(`ZIP and clone only. ${restoreObstacle}`);
  expect(tableOf(html)).toContain(`title="${restoreObstacle}"`);
});

test("a version says what it holds that no ref reaches", () => {
  const told = (unreachable: HistoryRow["unreachable"]) => textOf(page({ rows: [{ ...good, unreachable }] }));
  expect(told({ objects: 3, bytes: 160_000_000 })).toContain(
    "Holds 3 objects (160.0 MB) that no branch or tag reaches.",
  );
  expect(told({ objects: 1, bytes: null })).toContain(
    "Holds at least 1 commit that no branch or tag reaches.",
  );
  expect(told({ objects: 3, bytes: 9 })).toContain("ZIP without them");
  expect(told({ objects: 3, bytes: null })).not.toContain("ZIP without them");
  expect(told(null)).not.toContain("that no branch or tag reaches");
});

test("only the owner can erase a version, and an erased one leaves its row", () => {
  expect(page({ isOwner: true })).toContain('aria-label="Erase 20 Nov 02:14"');
  expect(page()).not.toContain("Erase 20 Nov");
  const erased = {
    ...good,
    snapshotId: null,
    sizeBytes: null,
    canRestore: false,
    verify: null,
    erasedAt: now,
  };
  const html = tableOf(page({ isOwner: true, rows: [erased] }));
  expect(textOf(html)).toContain("Erased");
  expect(textOf(html)).toContain("The audit trail says by whom.");
  expect(html).not.toContain('aria-label="Erase');
});

test("the page says when an alarm is raised, and only managers can change it", () => {
  const line =
    "An alarm is raised when a version lacks 50 % of a kind, such as issues or branches, or 500 of them at once.";
  expect(textOf(page())).toContain(line);
  expect(textOf(page())).toContain("Change alarm");
  expect(textOf(page({ canManage: false }))).toContain(line);
  expect(textOf(page({ canManage: false }))).not.toContain("Change alarm");
});

test("while the platform refuses our access, no version can be restored, and all can be downloaded", () => {
  const html = page({ status: "revoked" });
  expect(tableOf(html)).toMatch(/aria-disabled="true"[^>]*aria-label="Restore 20 Nov 02:14"/);
  expect(tableOf(html)).toContain('title="Reconnect the account first"');
  expect(tableOf(html)).toContain('aria-label="Request ZIP, 20 Nov 02:14"');
});
