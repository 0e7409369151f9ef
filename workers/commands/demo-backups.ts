import { z } from "zod";
import { type Person, RefusedError } from "./demo-person.ts";

/** Items as the public API lists them; members that only some platforms have are dropped. */
export const itemRows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    externalId: z.string(),
    view: z.object({ lastBackupAt: z.number().nullable(), activeRun: z.unknown() }),
  }),
);
export type ItemRow = z.output<typeof itemRows>[number];

const PATIENCE_MS = 240_000;
const POLL_MS = 500;

/** Whether an item has a backup taken since the time, in epoch ms. */
export const hasBackupSince =
  (since: number) =>
  ({ view }: ItemRow): boolean =>
    view.lastBackupAt !== null && view.lastBackupAt >= since;

/** Waits until no item of the list is being backed up and each has its backup. @throws Error after four minutes */
export async function untilBackedUp(
  list: () => Promise<ItemRow[]>,
  isBackedUp: (row: ItemRow) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const waiting = (await list()).filter((row) => row.view.activeRun !== null || !isBackedUp(row));
    if (waiting.length === 0) return;
    if (Date.now() > deadline) {
      const names = waiting.map(({ name }) => name).join(", ");
      throw new Error(`Not backed up after ${PATIENCE_MS / 1000} s: ${names}`);
    }
    await new Promise((settle) => setTimeout(settle, POLL_MS));
    signal.throwIfAborted();
  }
}

/**
 * Calls Backup now, so that an item has a manual version, and waits for it. Does nothing when an earlier, interrupted
 * seeding has used the window.
 */
export async function backUpByHand(
  person: Person,
  call: { path: string; body: object },
  item: ItemRow,
  list: () => Promise<ItemRow[]>,
  signal: AbortSignal,
): Promise<void> {
  const isDone = hasBackupSince(Date.now());
  try {
    await person.call("POST", call.path, z.unknown(), call.body);
  } catch (cause) {
    if (cause instanceof RefusedError && cause.code === "err.user.backup.limit") return;
    throw cause;
  }
  await untilBackedUp(list, (row) => row.id !== item.id || isDone(row), signal);
}
