import { z } from "zod";
import type { BackupState } from "#connectors/toolkit/records/backup-state.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/** What no change announces, and what is therefore read from some pages every day, in turn. */
export type TurnsOf = "look" | "comments";

type Marks = BackupState["marks"];

/** A day on which `count` of `total` pages had their turn. */
const turnSchema = z.tuple([z.number(), z.number(), z.number()]);
type Turn = { day: number; count: number; total: number };

const markOf = (of: TurnsOf) => `${of}Turns`;

/** Notes how many pages had their turn on a day. Days before every page had one since are forgotten. */
export function noteTurns(marks: Marks, of: TurnsOf, turn: Turn): void {
  const all = [turn, ...turnsIn(marks, of)];
  const kept = all.slice(0, 1 + lastOf(all));
  marks[markOf(of)] = JSON.stringify(kept.map(({ day, count, total }) => [day, count, total]));
}

/** The day since which every page had its turn, in words; null = not every page had one. */
export function sinceText(marks: Marks, of: TurnsOf): string | null {
  const all = turnsIn(marks, of);
  const since = all[lastOf(all)]?.day;
  if (since === undefined) return null;
  const [day = ""] = momentText(new Date(since * DAY_MS).toISOString()).split(",");
  return day;
}

/** The index of the newest day since which as many pages had their turn as there were; the length = there is none. */
function lastOf(all: readonly Turn[]): number {
  let [sum, most] = [0, 0];
  const last = all.findIndex(({ count, total }) => {
    sum += count;
    most = Math.max(most, total);
    return sum >= most;
  });
  return last < 0 ? all.length : last;
}

function turnsIn(marks: Marks, of: TurnsOf): Turn[] {
  const stored = z.array(turnSchema).safeParse(JSON.parse(marks[markOf(of)] ?? "[]")).data ?? [];
  return stored.map(([day, count, total]) => ({ day, count, total }));
}
