import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import type { ConsentAuthoriser, StorageSession } from "#connectors/contract/storage-connector.ts";

/** A session of Nora's that renews its tokens as the engine does. Waiting takes no time. */
export function renewingSession(
  authoriser: ConsentAuthoriser,
  config: ConnectorConfig,
  tokens: { access: string; refresh: string },
): StorageSession {
  const clock = { now: () => Date.now() };
  return {
    config,
    fetch: (url, init) => fetch(url, init),
    accessToken: async (refused) => {
      if (refused === undefined || refused !== tokens.access) return tokens.access;
      const renewed = await authoriser.refresh({ config, fetch, clock }, tokens.refresh);
      tokens.access = renewed.accessToken;
      return tokens.access;
    },
    spend: async () => {},
    report: async () => {},
    clock,
    sleep: async () => {},
    details: {},
    accountName: "nora@meridian.example",
    keys: {},
  };
}

/** Sends an order to a simulator. @throws Error with the response text when it fails */
export async function sendControl(url: string, body: object = {}): Promise<void> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
}
