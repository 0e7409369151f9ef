import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Organisations that move, or have moved, from or to this ledger. While `is_closed` is set, triggers on every table refuse
 * what anybody writes to the organisation's rows here, and no duty looks at them (`isHere`). Rows stay: they tell a
 * command that comes late that it is late. An organisation without a row has always been here, or never.
 */
export const movingOrganisation = sqliteTable("moving_organisation", {
  organisationId: text("organisation_id").primaryKey(),
  /**
   * copying, frozen: it lives here and is copied from here, while it is written and after writing ended. arriving: it is
   * copied to here. home: it lives here since a move. left: it has moved away, and its rows here are to be removed.
   */
  state: text("state", { enum: ["home", "copying", "frozen", "arriving", "left"] }).notNull(),
  /** Closed = frozen, arriving or left. A batch of the move itself opens the ledger until its end. */
  isClosed: integer("is_closed", { mode: "boolean" }).notNull(),
  /** The epoch of the command that wrote it last (`ledger_move`): an earlier one changes nothing more. */
  epoch: integer("epoch").notNull(),
  /** Since when it has this state, epoch ms. */
  since: integer("since").notNull(),
  /** False once no row of an organisation that left is there. */
  hasRows: integer("has_rows", { mode: "boolean" }).notNull().default(true),
});

/** SQL condition: the organisation of that column is not closed here. Every statement of a duty has it. */
export const isHere = (column: string) => `NOT EXISTS (SELECT 1 FROM moving_organisation
  WHERE moving_organisation.organisation_id = ${column} AND moving_organisation.is_closed = 1)`;

/** True for a write that the triggers of a closed ledger refused. Databases and drizzle wrap the triggers' text. */
export function isMovingError(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each.message.includes("the organisation is moving to another ledger")) return true;
  return false;
}
