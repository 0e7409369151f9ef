import { ConnectorError } from "#connectors/contract/connector-error.ts";

/** Whether Trello refused permanently. The restore then reports it and continues; other errors are retried. */
export function isRefusal(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
}

/** The reason of a refusal as a sentence for the report. Trello's messages often lack a full stop. */
export function reasonOf(error: ConnectorError): string {
  return /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
}
