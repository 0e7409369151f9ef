import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";

/** Whether GitLab refused permanently. The restore then reports it and continues; other errors are retried. */
export function isRefusal(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false;
  return ["forbidden", "gone", "unsupported"].includes(error.kind) || error.status === 409;
}

/** Runs a step. A refusal becomes a report line: `missing`, or `changed` for a setting that was not restored. */
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

/** Explains that a backup-only connection cannot create anything; returns every other error unchanged. */
export function explainScope(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || !/insufficient_scope/.test(error.message)) return error;
  const message =
    "This GitLab connection may only read. Restores need the scope 'api': connect GitLab again with it, then restore again.";
  return new ConnectorError("forbidden", message, { status: error.status ?? undefined, cause: error });
}
