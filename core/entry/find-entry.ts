import {
  deleteSession,
  isSessionOver,
  isUseToNote,
  organisationOfToken,
  type SignedIn,
  sessionStatement,
  toSignedIn,
  touchSession,
} from "#core/accounts/index.ts";
import { type SubscriptionRow, subscriptionsOf } from "#core/billing/index.ts";
import { type ConnectionRow, connectionRows } from "#core/connections/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";

/** The signed-in member with the organisation's connections and subscriptions. */
export type Entry = SignedIn & {
  /** The key of the person's photo. */
  image: string | null;
  /** Of every platform, oldest first. */
  connections: ConnectionRow[];
  subscriptions: SubscriptionRow[];
};

type EntryDeps = { control: ControlDatabase; clock: Clock };

/**
 * Reads the entry of a session in one round trip to the control database. Null if the token belongs to no session, or
 * the session has ended.
 */
export async function findEntry({ control, clock }: EntryDeps, tokenHash: string): Promise<Entry | null> {
  const organisation = organisationOfToken(control, tokenHash);
  const [rows, connections, subscriptions] = await control.batch([
    sessionStatement(control, tokenHash),
    connectionRows(control, organisation),
    subscriptionsOf(control, organisation),
  ]);
  const signedIn = toSignedIn(rows);
  if (!signedIn) return null;
  if (isSessionOver(signedIn, clock.now())) {
    await deleteSession(control, tokenHash);
    return null;
  }
  return { ...signedIn, image: rows[0]?.image ?? null, connections, subscriptions };
}

/** Records that the session was used, at most once a minute. No response needs to wait for it. */
export async function noteUse({ control, clock }: EntryDeps, entry: Pick<Entry, "session">): Promise<void> {
  const now = clock.now();
  if (!isUseToNote(entry, now)) return;
  entry.session.lastActiveAt = now;
  await touchSession(control, { id: entry.session.id, now });
}
