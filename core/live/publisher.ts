import type { LiveEvent } from "./events.schema.ts";

/** Tells the account's open screens what happened. Never throws: live messages are hints, the ledger is the truth. */
export interface LivePublisher {
  publish(organisationId: string, events: readonly LiveEvent[]): Promise<void>;
  /**
   * Closes the sockets of a person, or of one session, that lost its rights; within a second. With `mayReturn` they
   * come back at once through the door, with the rights they have then.
   */
  disconnect(
    organisationId: string,
    whose: ({ userId: string } | { sessionId: string }) & { mayReturn?: boolean },
  ): Promise<void>;
}
