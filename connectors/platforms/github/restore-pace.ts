import type { Session } from "#connectors/contract/platform-connector.ts";
import type { CallLimit } from "#connectors/contract/restore-plan.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** Calls of one person (docs: rate limits for the REST API, primary limit); GitHub calls this quota `core`. */
const CALLS_AN_HOUR = 5_000;
/** GitHub takes 80 new contents a minute and 500 an hour (docs: rate limits for the REST API, secondary limits). */
const CONTENT = { aMinute: 80, anHour: 500 };
/** What it has been seen to take: 20 a minute and 150 an hour (seen in cli/cli#4801). */
const CONTENT_AT_LEAST = { aMinute: 20, anHour: 150 };

/**
 * Pause behind every call that changes something, uploads included: GitHub asks for a second between them when there
 * are many (docs: best practices for using the REST API, pause between mutative requests).
 */
export const WRITE_SPACING_MS = SECOND_MS;
/** When an import is looked at again; most are done at the first look. */
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

/** What a restore may do here, for its plan. */
export const LIMITS = limitsWith(CONTENT);
/** The same where GitHub allows less than it documents. */
export const LIMITS_IN_PRACTICE = limitsWith(CONTENT_AT_LEAST);

/** What one call costs a plan. */
export const READ = { reads: 1 } as const;
export const WRITE = { writes: 1, waitMs: WRITE_SPACING_MS } as const;
export const CREATION = { ...WRITE, creations: 1 } as const;

/** A client that rests behind every call that may have changed something, whatever was answered. */
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
