import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";

/**
 * Whether GitHub refused one object, so that the restore reports it and continues. All other errors wait for a retry.
 */
export function isRefusal(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
}

/** The refusal's message, for the report. @throws the error when it is not a refusal */
export function refusalReason(error: unknown): string {
  if (!isRefusal(error)) throw error;
  return error.message;
}

/** Applies a setting. A refusal becomes a line of the report. */
export async function* attempt(what: string, act: () => Promise<unknown>): AsyncGenerator<RestoreEvent> {
  try {
    await act();
  } catch (error) {
    yield { type: "changed", what, reason: refusalReason(error) };
  }
}
