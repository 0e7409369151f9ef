import * as z from "zod/mini";
import { ApiError, callApi } from "#app/api/call-api.ts";

/**
 * What the server says of this browser's session: it is `sub`'s, it is over, it is another person's by now, or the server
 * did not say.
 */
export type SessionAnswer = "alive" | "over" | "other" | "unknown";

const whoseSchema = z.object({ sub: z.string() });

/** Asks the server whose session this is; the question keeps it alive, as any call does. Never throws. */
export async function askSession(sub: string | null = null): Promise<SessionAnswer> {
  try {
    const call = { schema: whoseSchema, isQuiet: true } as const;
    const { result } = await callApi("user/get-user-start-info", call);
    return sub === null || result.sub === sub ? "alive" : "other";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 401 || error.status === 423 ? "over" : "unknown";
  }
}
