import type { Session } from "#connectors/contract/platform-connector.ts";
import type { CallLimit } from "#connectors/contract/restore-plan.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** Primary limit of one user (docs: rate limits for the REST API, primary limit). GitHub calls this quota `core`. */
const CALLS_AN_HOUR = 5_000;
/**
 * Secondary limit on creating content: 80 a minute and 500 an hour (docs: rate limits for the REST API, secondary
 * limits).
 */
const CONTENT = { aMinute: 80, anHour: 500 };
/** Lower limits seen in practice: 20 a minute and 150 an hour (cli/cli#4801). */
const CONTENT_AT_LEAST = { aMinute: 20, anHour: 150 };

/**
 * Pause after every call that changes something, uploads included. GitHub asks for a second between many of them (docs:
 * best practices for using the REST API, pause between mutative requests).
 */
export const WRITE_SPACING_MS = SECOND_MS;
/** Delays between polls of an import. Most imports are done at the first poll. */
export const POLLS_MS = [
  500,
  500,
  SECOND_MS,
  SECOND_MS,
  2 * SECOND_MS,
  5 * SECOND_MS,
  10 * SECOND_MS,
  30 * SECOND_MS,
] as const;

/** Limits that a plan assumes. */
export const LIMITS = limitsWith(CONTENT);
/** Limits for a GitHub that allows less than it documents. */
export const LIMITS_IN_PRACTICE = limitsWith(CONTENT_AT_LEAST);

/** Cost of one call in a plan. */
export const READ = { reads: 1 } as const;
export const WRITE = { writes: 1, waitMs: WRITE_SPACING_MS } as const;
export const CREATION = { ...WRITE, creations: 1 } as const;

/** A client that pauses after every call that may have changed something, whatever the response. */
export function pacedClient(session: Pick<Session, "sleep">, client: HttpClient): HttpClient {
  const paced =
    <Call extends { method: string }, Rest extends unknown[], T>(
      act: (call: Call, ...rest: Rest) => Promise<T>,
    ) =>
    async (call: Call, ...rest: Rest): Promise<T> => {
      try {
        return await act(call, ...rest);
      } finally {
        if (call.method !== "GET") await session.sleep(WRITE_SPACING_MS);
      }
    };
  return { ...client, send: paced(client.send), request: paced(client.request) as HttpClient["request"] };
}

function limitsWith({ aMinute, anHour }: typeof CONTENT): readonly CallLimit[] {
  return [
    { of: "calls", resource: "core", most: CALLS_AN_HOUR, periodMs: HOUR_MS },
    { of: "creations", resource: null, most: anHour, periodMs: HOUR_MS },
    { of: "creations", resource: null, most: aMinute, periodMs: MINUTE_MS },
  ];
}
