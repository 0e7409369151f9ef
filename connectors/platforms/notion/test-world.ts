import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { configSchema } from "./authorize.ts";
import { notionVars } from "./simulator/index.ts";
import { type NotionSimulator, startNotionSimulator } from "./simulator/notion-simulator.ts";
import type { NotionSettings } from "./simulator/state.ts";

const LOGIN = "nora";

/** Nora's account in a workspace of a simulated Notion, with handles for tests. */
export type NotionTestWorld = Pick<
  ConformanceWorld,
  "config" | "accountName" | "connectionDetails" | "issueToken" | "revoke" | "stop"
> & {
  simulator: NotionSimulator;
  workspaceId: string;
  /** Causes something that happens at Notion without us, through the simulator's control routes. */
  happen<T = { id: string }>(path: string, body?: object): Promise<T>;
  /** A token of a bot of its own that covers only these pages and databases. */
  tokenFor(ids: readonly string[]): Promise<string>;
  /** Ids of the pages and databases at the top of the workspace. */
  tops(): string[];
};

/** Opens a simulated Notion without pages. The quota never ends; other tests cover it. */
export async function openNotionWorld(
  settings: Partial<NotionSettings> = {},
  seed: "people" | "demo" = "people",
): Promise<NotionTestWorld> {
  const generous = { burst: 10_000_000 };
  const simulator = await startNotionSimulator({ seed, settings: { ...generous, ...settings } });
  const { state } = simulator.world;
  const person = state.people.find(({ login }) => login === LOGIN)!;
  const workspace = state.workspaces.find(({ id }) => id === person.workspaceIds[0])!;
  const happen: NotionTestWorld["happen"] = async <T>(path: string, body?: object) => {
    const response = await fetch(`${simulator.url}/__sim/notion/${path}`, {
      method: body === undefined ? "GET" : "POST",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as T;
  };
  const token = async (order: object) =>
    (await happen<{ token: string }>("token", { login: LOGIN, ...order })).token;
  return {
    ...{ simulator, happen, workspaceId: workspace.id, accountName: person.name },
    config: configSchema.parse(notionVars(simulator)),
    connectionDetails: {
      ...{ workspaceId: workspace.id, workspaceName: workspace.name, workspaceIcon: workspace.icon },
      ...{ personId: person.id, fullName: person.name, email: person.email },
      ...{ ownerType: "user", grantedAt: Date.now() },
    },
    issueToken: () => token({}),
    tokenFor: (ids) => token({ pages: ids, isApart: true }),
    tops: () => [...workspace.rootIds],
    revoke: async (value) => {
      const grant = state.grants.find((known) => known.token === value);
      if (grant) grant.isRevoked = true;
    },
    stop: simulator.stop,
  };
}
