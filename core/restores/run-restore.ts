import type { RestoredItem, RestoreEvent, RestoreJournal } from "#connectors/contract/platform-connector.ts";
import {
  connectorOf,
  findConnectionRow,
  openSession,
  quotaLeft,
  reportLostConnection,
} from "#core/connections/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import { findItemRow } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { holdsLink } from "#core/kernel/name-rules.ts";
import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import {
  announceEnd,
  findJournalEntry,
  LostRunError,
  type RunOrder,
  type RunSlice,
  recordJournalEntry,
  runSlice,
  SliceEndError,
  succeedRun,
  unlockItem,
} from "#core/runs/index.ts";
import type { MailServices, RunServices, SessionServices, Uses, VaultServices } from "#core/services.ts";
import { findSnapshot, openVault, openVersion } from "#core/versions/index.ts";
import { expectedDuration } from "./expected-duration.ts";
import { heldCounts, heldSchema } from "./held-counts.ts";
import { reportDraft } from "./report-draft.ts";
import { requireOrder, restoreOrder, targetName } from "./restore-order.ts";
import { outcomeOf, type RestoreReport, restoreReport } from "./restore-report.schema.ts";

/** Maximum number of missing things in the mail. The history lists all. */
const MAIL_LINES = 20;
/** Journal key of what the version holds; connectors' keys have no space. */
const HELD = "the version holds";
/** Replaces a name that contains a link: anyone can start a trial and enter a stranger's address. */
const NAME_WITH_LINK = "the item";

/**
 * Restores a version, or a part of it, into a new item or into a chosen existing one, to which it only adds. The
 * connector journals each creation before the next, so a repeated run continues without creating duplicates. Writes to
 * the source only if the order names it as the target.
 */
export async function runRestore(
  s: SessionServices & VaultServices & RunServices,
  order: RunOrder,
): Promise<void> {
  await runSlice(
    s,
    order,
    {
      job: "restore-item",
      locks: "restore",
      onEnd: async (slice, failure) => {
        if (failure.kind === "unauthorized") {
          await reportLostConnection(s, slice.run, failure, slice.usedTokens);
        }
        await announceByMail(s, slice, null, failure.text);
        return [];
      },
    },
    (slice) => restoreVersion(s, slice),
  );
}

async function restoreVersion(
  s: SessionServices & VaultServices & Uses<"queue" | "live">,
  slice: RunSlice,
): Promise<void> {
  const { run, ledger, region, hold } = slice;
  const order = requireOrder(run);
  const item = await findItemRow(ledger, run.organisationId, run.itemId);
  const connection = await findConnectionRow(s.control, run.organisationId, run.connectionId);
  const snapshot = run.snapshotId ? await findSnapshot(ledger, run.organisationId, run.snapshotId) : null;
  if (!item || !connection)
    throw new AppError("err.not.found", { message: "The item is no longer protected." });
  if (!snapshot)
    throw new AppError("err.snapshot.not.restorable", { message: "This version is no longer kept." });
  const vault = await openVault(s, { organisationId: run.organisationId, region }, slice);
  const view = await openVersion(s, vault, { ...snapshot, region });
  const session = openSession(s, connection, {
    request: slice.countRequest,
    bytes: slice.countBytes,
    atEnd: slice.atEnd,
    usedTokens: slice.usedTokens,
  });
  const connector = connectorOf(s, run.platform);
  const { target, part, answers } = order;
  const wish = { target, part: part?.path ?? null, answers };
  const journal = journalOf(s, slice);
  if (run.expectedEndAt === null) {
    const { cost, ...plan } = await connector.planRestore(session, view, wish);
    await journal.record(
      HELD,
      heldCounts(connector, plan, { counts: view.counts(), isWhole: part === null }),
    );
    const now = s.clock.now();
    await slice.expectEnd(now + expectedDuration(cost, await quotaLeft(s, connection), now));
  }
  const events = connector.restore(session, view, wish, journal);
  const report = await follow(slice, events, async () => heldSchema.parse((await journal.find(HELD)) ?? {}));
  const mayBeSource = target.kind === "existing" && target.item.externalId === item.externalId;
  invariant(
    mayBeSource || report.item.externalId !== item.externalId,
    "a restore writes to its source only where a person has chosen so",
  );

  await announceByMail(s, slice, report, null);
  const now = s.clock.now();
  const results = await commitTogether(ledger, [
    unlockItem(ledger, hold),
    succeedRun(ledger, hold, {
      now,
      snapshotId: null,
      bytesRead: slice.bytesRead(),
      bytesStored: 0,
      report: restoreReport.write(report),
    }),
  ]);
  if ((results.at(-1)?.results.length ?? 0) === 0) throw new LostRunError(run.id);
  await announceEnd(s, run, "success", { date: now, size: 0, errorText: null });
}

/** Handles the connector's events until it returns the created item. */
async function follow(
  slice: RunSlice,
  events: AsyncGenerator<RestoreEvent, RestoredItem>,
  held: () => Promise<RestoreReport["held"]>,
): Promise<RestoreReport> {
  const draft = reportDraft();
  for (;;) {
    const step = await events.next();
    if (step.done) return draft.finish(step.value, await held());
    const event = step.value;
    switch (event.type) {
      case "progress":
        await slice.progress(event.progress);
        break;
      case "checkpoint":
        // The journal is the cursor.
        if (slice.isOver()) throw new SliceEndError(null);
        break;
      default:
        draft.add(event);
    }
  }
}

function journalOf(
  s: Uses<"clock">,
  { ledger, run, hold, advanced, countQueries }: RunSlice,
): RestoreJournal {
  return {
    find: (key) => {
      countQueries(1);
      return findJournalEntry(ledger, run.id, key);
    },
    record: async (key, value) => {
      countQueries(2);
      const { isOurs, isNews } = await recordJournalEntry(ledger, hold, { key, value, now: s.clock.now() });
      if (!isOurs) throw new LostRunError(run.id);
      if (isNews) advanced();
    },
  };
}

/**
 * Sends one mail per address and run, however often the run is repeated, because the outbox knows the occasion. An
 * unreadable order has no readable addresses; the history shows how the run ended.
 */
async function announceByMail(
  s: MailServices,
  { run, ledger }: RunSlice,
  report: RestoreReport | null,
  errorText: string | null,
): Promise<void> {
  const read = restoreOrder.read(run.order);
  if (read.kind === "unreadable") return;
  const order = read.value;
  const item = await findItemRow(ledger, run.organisationId, run.itemId);
  const members = await listMembers(s, run.organisationId);
  const addresses = new Set(members.map(({ email }) => email.toLowerCase()));
  for (const recipient of order.emails) {
    const isMember = addresses.has(recipient.toLowerCase());
    const shown = (name: string) => (isMember || !holdsLink(name) ? name : NAME_WITH_LINK);
    const mail = await queueMail(s, {
      occasion: `restore-finished:${run.id}:${recipient}`,
      organisationId: run.organisationId,
      recipient,
      message: "restore-finished",
      data: {
        itemName: shown(item?.name ?? targetName(order)),
        takenAt: order.takenAt,
        restored: report ? { name: shown(report.item.name), url: report.item.webUrl } : null,
        errorText,
        ...(report ? outcomeOf(report) : { missing: 0, notes: 0 }),
        missingLines: isMember ? (report?.missing.slice(0, MAIL_LINES) ?? []) : [],
        historyUrl: `${s.settings.PUBLIC_URL}/platform/backups/${run.platform}?id=${run.itemId}&name=${encodeURIComponent(item?.name ?? targetName(order))}`,
        timeZone: members[0]?.timeZone ?? "UTC",
      },
    });
    await mail.statement;
    await s.queue.send([mail.job]);
  }
}
