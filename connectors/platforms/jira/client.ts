import type { ConnectorConfig, Session } from "#connectors/contract/platform-connector.ts";
import { createHttpClient, type HttpApi, type HttpClient } from "#connectors/toolkit/http-client.ts";

/** The version of the platform's API that this connector targets. */
export const API_VERSION = "1";

/** The platform's API. Addresses appear only in this file. */
export function exampleApi(config: ConnectorConfig): HttpApi {
  return {
    platform: "Example",
    baseUrl: config.JIRA_API_URL ?? "https://api.boards.example",
    headers: { "user-agent": "holdfast/1" },
  };
}

/** A client for one session. */
export function exampleClient(session: Session): HttpClient {
  return createHttpClient(session, exampleApi(session.config));
}

/** Paths relative to the base URL. */
export const paths = {
  me: "/me",
  boards: "/boards",
  board: (id: string) => `/boards/${encodeURIComponent(id)}`,
  cards: (id: string) => `/boards/${encodeURIComponent(id)}/cards`,
} as const;
