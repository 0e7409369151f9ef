import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

const ATTEMPTS = 4;
const FIRST_WAIT_MS = SECOND_MS;

/**
 * Creates each thing once, although the platform supports no idempotency keys. The caller journals every creation
 * before the next one, so at most one is ever uncertain: the first after a resumed restore, and any whose response
 * was lost. Before an uncertain creation is repeated, `look` checks whether the thing exists.
 */
export type Maker = {
  /** @throws ConnectorError */
  make<T>(step: { look: () => Promise<T | null>; create: () => Promise<T> }): Promise<T>;
};

/** @param isResumed True = an earlier attempt may have created one thing that is not in the journal. */
export function openMaker(session: Pick<Session, "sleep">, isResumed: boolean): Maker {
  let mayBeThere = isResumed;
  return {
    async make({ look, create }) {
      for (let attempt = 1; ; attempt++) {
        const found = mayBeThere ? await look() : null;
        mayBeThere = false;
        if (found !== null) return found;
        try {
          return await create();
        } catch (error) {
          mayBeThere = isUnknown(error);
          if (!mayBeThere || attempt === ATTEMPTS) throw error;
          await session.sleep(FIRST_WAIT_MS * 2 ** (attempt - 1));
        }
      }
    },
  };
}

/** Whether the platform may have executed the request despite the error. */
function isUnknown(error: unknown): boolean {
  return error instanceof ConnectorError && (error.kind === "unavailable" || error.kind === "malformed");
}

/**
 * Among things that look alike, returns the first one that is not accounted for yet.
 *
 * @param before The number of equal things created before.
 */
export function unclaimed<T extends { id: string }>(alike: readonly T[], before: number): T | null {
  return alike.toSorted((one, other) => (one.id < other.id ? -1 : 1))[before] ?? null;
}
