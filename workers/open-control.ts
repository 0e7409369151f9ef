import { type ControlDatabase, controlDatabase, type StorageBindings } from "#core/database/ledgers.ts";

/** The control database of one request, and what it has reached when the request ends. */
export type ControlSession = { control: ControlDatabase; bookmark: () => string | null };

/**
 * Opens the control database for one request. Only the control database may have read replicas: a ledger's data stays
 * in its region.
 *
 * @param start What the first read needs: `first-primary`, `first-unconstrained`, or at least a bookmark. Later reads
 *   see what earlier statements of the request have written.
 */
export function openControl(env: StorageBindings, start: string): ControlSession {
  const session = env.DB.withSession(start);
  // A session prepares and batches as a database does, and nothing else is asked of one.
  const control = controlDatabase({ ...env, DB: session as unknown as D1Database });
  return { control, bookmark: () => session.getBookmark() };
}
