import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";

/** Whether GitLab has said no for good, so that a restore tells it and goes on; what passes is left to the next attempt. */
export function isRefusal(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  return ["forbidden", "gone", "unsupported"].includes(error.kind) || error.status === 409;
}

/** Does a step; a refusal becomes a line of the report: something is missing, or `changed` where a setting is not as it was. */
export async function* attempt(
  what: string,
  act: () => Promise<unknown>,
  type: "missing" | "changed" = "missing",
): AsyncGenerator<RestoreEvent, boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    yield { type, what, reason: error.message };
    return false;
  }
}

/** A connection that was made for backups alone cannot create anything; every other failure stays as it is. */
export function explainScope(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || !/insufficient_scope/.test(error.message)) return error;
  const message =
    "This GitLab connection may only read. Restores need the scope 'api': connect GitLab again with it, then restore again.";
  return new ConnectorError("forbidden", message, { status: error.status ?? undefined, cause: error });
}
