import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";

/** Whether GitHub refused one thing, so that the restore tells it and goes on; everything else is left to the next attempt. */
export function isRefusal(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
}

/** The refusal's words for the report. @throws the error when it is none */
export function refusalReason(error: unknown): string {
  if (!isRefusal(error)) throw error;
  return error.message;
}

/** Makes a setting; a refusal becomes a line of the report. */
export async function* attempt(what: string, act: () => Promise<unknown>): AsyncGenerator<RestoreEvent> {
  try {
    await act();
  } catch (error) {
    yield { type: "changed", what, reason: refusalReason(error) };
  }
}
