import { paletteCopy as copy } from "#app/copy/palette.ts";
import { runsCopy } from "#app/copy/runs.ts";
import { shellCopy } from "#app/copy/shell.ts";
import { clockOf, dateText, weekdayText } from "#app/format/dates.ts";
import { agoText, countdownText } from "#app/format/duration.ts";
import { railPlaces } from "#app/shell/rail-places.ts";
import type { ShellView } from "#app/shell/shell-view.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { FoundItem } from "#core/inventory/views.ts";

/** What an item is chosen for. */
export type Verb = "back-up" | "restore";

/** What is found: in everything, in one item, among the items for a command, or names inside versions. */
export type Scope =
  | { kind: "all" }
  | { kind: "item"; item: FoundItem }
  | { kind: "pick"; verb: Verb }
  | { kind: "names"; text: string };

/** One line of the palette. */
export type Command = {
  id: string;
  label: string;
  /** The platform whose mark it has. */
  platform?: string;
  /** More of the name, and what there is to say at the end of the line. */
  detail?: string;
  note?: string;
  /** Why it cannot be chosen now; null = it can. */
  reason?: string | null;
} & (
  | { does: "go"; to: string }
  | { does: "choose-item" | "history" | Verb; item: FoundItem }
  | { does: "version"; item: FoundItem; snapshotId: string }
  | { does: "pick"; verb: Verb }
  | { does: "search-names"; text: string }
  | { does: "search-further" }
  | { does: "shortcuts" }
);

/** Lines under one heading. */
export type CommandGroup = { label: string; commands: Command[] };

/** Versions of an item that the palette shows. */
const SHOWN_VERSIONS = 5;

/** The words that every label must contain. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** True when the label contains every word. */
export function hasWords(label: string, words: readonly string[]): boolean {
  const folded = label.toLowerCase();
  return words.every((word) => folded.includes(word));
}

type Shown = Pick<ShellView, "isRestricted" | "hasProPlan" | "helpUrl" | "platforms" | "can">;

/** The pages that the member may open from the sidebar and the account menu, the platforms first. */
export function pageCommands(shell: Shown): Command[] {
  const page = (label: string, to: string): Command => ({ id: `page:${to}`, does: "go", label, to });
  const platforms = shell.platforms.map(({ id, label }) => ({
    ...page(label, `/platform/dashboard/${id}`),
    platform: id,
  }));
  const [dashboard, ...others] = railPlaces(shell).map(({ label, to }) => page(label, to));
  return [
    ...(dashboard ? [dashboard] : []),
    ...platforms,
    page(runsCopy.title, "/runs"),
    ...others,
    page(shellCopy.settings, "/settings"),
    page(copy.security, "/settings/security"),
    page(copy.reporting, "/settings/reporting"),
    ...(shell.can.restore ? [page(copy.storage, "/settings/storage")] : []),
    page(shellCopy.contact, "/contact"),
  ].filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at);
}

/** The commands that are no page: those that ask for an item, if the member may run them on any platform. */
export function generalCommands({ can }: Pick<Shown, "can">): Command[] {
  return [
    ...(can.backUp ? [pick("back-up", `${copy.backUp}…`)] : []),
    ...(can.restore ? [pick("restore", `${copy.restore}…`)] : []),
    { id: "shortcuts", does: "shortcuts", label: copy.shortcuts },
  ];
}

const pick = (verb: Verb, label: string): Command => ({ id: `pick:${verb}`, does: "pick", label, verb });

/** What can be done with an item, and its newest versions. Commands that the member may never run are left out. */
export function itemCommands(
  item: FoundItem,
  rows: readonly HistoryRow[],
  { timeZone, now }: { timeZone: string; now: number },
): CommandGroup[] {
  const commands: Command[] = [{ id: "history", does: "history", label: copy.history, item }];
  if (item.canBackUp)
    commands.push({
      id: "back-up",
      does: "back-up",
      label: copy.backUp,
      item,
      reason: backUpReason(item, now),
    });
  if (item.canRestore)
    commands.push({
      id: "restore",
      does: "restore",
      label: copy.restoreNewest,
      item,
      reason: restoreReason(item),
    });
  const good = rows.flatMap(({ type, status, snapshotId, date }) =>
    type === "backup" && status === "success" && snapshotId !== null ? [{ snapshotId, date }] : [],
  );
  const shown = good.slice(0, SHOWN_VERSIONS);
  const clock = clockOf(
    shown.map(({ date }) => date),
    timeZone,
  );
  const versions = shown.map(
    ({ snapshotId, date }, at): Command => ({
      id: `version:${snapshotId}`,
      does: "version",
      label: `${weekdayText(date, timeZone)} ${dateText(date, timeZone, now)} ${clock(date)}`,
      item,
      snapshotId,
      ...(at === 0 && { note: copy.newest }),
    }),
  );
  return [
    { label: copy.groups.commands, commands },
    { label: copy.groups.versions, commands: versions },
  ];
}

/** The found items, to open or to run a command on. */
export function foundCommands(items: readonly FoundItem[], scope: Scope, now: number): Command[] {
  return items.map((item): Command => {
    const { id, name, fullName, platform, lastBackupAt } = item;
    const note = lastBackupAt === null ? copy.reasons.first : copy.lastBackup(agoText(lastBackupAt, now));
    const line = {
      ...{ id: `item:${id}`, label: name, platform, note, item },
      ...(fullName !== name && { detail: fullName }),
    };
    if (scope.kind !== "pick") return { ...line, does: "choose-item" };
    const reason = scope.verb === "back-up" ? pickBackUpReason(item, now) : pickRestoreReason(item);
    return { ...line, does: scope.verb, reason };
  });
}

function pickBackUpReason(item: FoundItem, now: number): string | null {
  if (!item.canRestore) return copy.reasons.role;
  return item.canBackUp ? backUpReason(item, now) : copy.reasons.plan;
}

function pickRestoreReason(item: FoundItem): string | null {
  return item.canRestore ? restoreReason(item) : copy.reasons.role;
}

/** Why an item cannot be backed up now; null = it can. */
function backUpReason(item: FoundItem, now: number): string | null {
  if (item.status === "deleted") return copy.reasons.gone;
  if (!item.isConnected) return copy.reasons.disconnected;
  if (item.activeRunKind !== null) return copy.reasons.busy;
  const opensAt = item.backupNowOpensAt ?? 0;
  return opensAt > now ? copy.reasons.again(countdownText(opensAt, now)) : null;
}

/** Why no version of an item can be restored now; null = one can (spec P-181, P-184). */
function restoreReason(item: FoundItem): string | null {
  if (!item.isConnected) return copy.reasons.disconnected;
  if (item.lastBackupAt === null) return copy.reasons.first;
  return item.activeRunKind === null ? null : copy.reasons.busy;
}
