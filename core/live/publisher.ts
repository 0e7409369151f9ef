import type { LiveEvent } from "./events.schema.ts";

/** Sends events to the organisation's open screens. Never throws: live messages are hints, the ledger is the truth. */
export interface LivePublisher {
  publish(organisationId: string, events: readonly LiveEvent[]): Promise<void>;
  /**
   * Drops the hub's copies of a person or of one session that lost its rights, and closes their sockets. Call it after
   * the control database has recorded the loss. It returns when the hub has answered or all
   * leases of its copies have expired. With `mayReturn` the sockets reconnect at once with their current
   * rights.
   */
  disconnect(
    organisationId: string,
    whose: ({ userId: string } | { sessionId: string }) & { mayReturn?: boolean },
  ): Promise<void>;
}
