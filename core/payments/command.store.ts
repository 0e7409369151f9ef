import { and, asc, eq, inArray, lte } from "drizzle-orm";
import { billingCommand } from "#core/database/control/index.ts";
import { failedConstraint } from "#core/database/failed-constraint.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

export type CommandRow = typeof billingCommand.$inferSelect;

/** Stores a command before it is sent. False when the platform is locked by another one, or the id is taken. */
export async function insertCommand(control: ControlDatabase, row: CommandRow): Promise<boolean> {
  try {
    await control.insert(billingCommand).values(row);
    return true;
  } catch (cause) {
    if (failedConstraint(cause) === null) throw cause;
    return false;
  }
}

/** Records how far a command came. An ended one stays as it ended. */
export async function markCommand(
  control: ControlDatabase,
  { id, ...change }: { id: string; state: CommandRow["state"]; stripeId?: string },
): Promise<void> {
  await control
    .update(billingCommand)
    .set(change)
    .where(and(eq(billingCommand.id, id), inArray(billingCommand.state, ["open", "waiting"])));
}

/** Begins a command anew, whose key is too old to be sent again. Of several requests at once only one does. */
export async function renewCommand(
  control: ControlDatabase,
  { id, from, to }: { id: string; from: number; to: number },
): Promise<void> {
  await control
    .update(billingCommand)
    .set({ state: "open", createdAt: to })
    .where(and(eq(billingCommand.id, id), eq(billingCommand.createdAt, from)));
}

/** Returns a command, or null. */
export async function findCommand(control: ControlDatabase, id: string): Promise<CommandRow | null> {
  return (await control.select().from(billingCommand).where(eq(billingCommand.id, id)).get()) ?? null;
}

/** The command that locks the platform; null when none does. */
export async function findLock(
  control: ControlDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<CommandRow | null> {
  const row = await control
    .select()
    .from(billingCommand)
    .where(
      and(
        eq(billingCommand.organisationId, organisationId),
        eq(billingCommand.platform, platform),
        inArray(billingCommand.state, ["open", "waiting"]),
      ),
    )
    .get();
  return row ?? null;
}

/** Commands of a kind that began before a time and have not ended, the oldest first. */
export async function listStuckCommands(
  control: ControlDatabase,
  { kind, before, limit }: { kind: string; before: number; limit: number },
): Promise<CommandRow[]> {
  return control
    .select()
    .from(billingCommand)
    .where(
      and(
        inArray(billingCommand.state, ["open", "waiting"]),
        lte(billingCommand.createdAt, before),
        eq(billingCommand.kind, kind),
      ),
    )
    .orderBy(asc(billingCommand.createdAt))
    .limit(limit);
}

/** The organisation's commands that have not ended. */
export async function listOpenCommands(
  control: ControlDatabase,
  organisationId: string,
): Promise<CommandRow[]> {
  return control
    .select()
    .from(billingCommand)
    .where(
      and(
        eq(billingCommand.organisationId, organisationId),
        inArray(billingCommand.state, ["open", "waiting"]),
      ),
    );
}
