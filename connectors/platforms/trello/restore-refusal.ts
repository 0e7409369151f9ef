import { ConnectorError } from "#connectors/contract/connector-error.ts";

/** Whether Trello has said no for good, so that a restore tells it and goes on; what passes is left to the next attempt. */
export function isRefusal(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
}

/** The reason of a refusal as a sentence of the report; what Trello says often lacks its full stop. */
export function reasonOf(error: ConnectorError): string {
  return /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
}
