import type { LiveEvent } from "./events.schema.ts";

/** Sends events to the organisation's open screens. Never throws: live messages are hints, the ledger is the truth. */
export interface LivePublisher {
  publish(organisationId: string, events: readonly LiveEvent[]): Promise<void>;
  /**
   * Closes, within a second, the sockets of a person or of one session that lost its rights. With `mayReturn` they
   * reconnect at once with their current rights.
   */
  disconnect(
    organisationId: string,
    whose: ({ userId: string } | { sessionId: string }) & { mayReturn?: boolean },
  ): Promise<void>;
}
