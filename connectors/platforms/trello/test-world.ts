import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { configSchema } from "./authorize.ts";
import type { BoardDump } from "./simulator/dump-board.ts";
import type { TrelloSettings } from "./simulator/state.ts";
import { findMember } from "./simulator/store.ts";
import {
  DEFAULT_TRELLO_SETTINGS,
  startTrelloSimulator,
  type TrelloSimulator,
} from "./simulator/trello-simulator.ts";

const LOGIN = "nora_lindqvist";
const WORKSPACE = "meridianfreight";

/** A board at the simulated Trello. */
export type BoardReference = { externalId: string; fullName: string };

/** Nora's account at a simulated Trello, with handles for tests. */
export type TrelloTestWorld = Omit<
  ConformanceWorld,
  | "changeItem"
  | "makeItem"
  | "titledKinds"
  | "consent"
  | "faults"
  | "limitShapes"
  | "isUnpaged"
  | "restorePlace"
> & {
  simulator: TrelloSimulator;
  memberId: string;
  /** Causes something that happens at Trello without us, through the simulator's control routes. */
  happen<T>(path: string, body?: object): Promise<T>;
  makeBoard(
    name: string,
    order?: { content?: "empty" | "full"; organization?: string | null },
  ): Promise<BoardReference>;
  dump(board: BoardReference): Promise<BoardDump>;
  /** Boards with that name. */
  boardsNamed(name: string): { id: string }[];
  /** Id of a workspace. */
  workspace(name?: string): string;
};

/**
 * Opens a simulated Trello in which Nora has a few boards.
 * Other tests cover the rate limits. With `isSmall`, the full board has few cards, so that repeated restores are fast.
 */
export async function openTrelloWorld(
  settings: Partial<TrelloSettings> = {},
  { isSmall = false } = {},
): Promise<TrelloTestWorld> {
  const generous = {
    keyLimit: 1_000_000,
    tokenLimit: 1_000_000,
    memberLimit: 1_000_000,
    memberRequestLimit: 1_000_000,
    freeBoardLimit: 1_000,
  };
  const simulator = await startTrelloSimulator({ seed: "people", settings: { ...generous, ...settings } });
  const { world } = simulator;
  const happen: TrelloTestWorld["happen"] = async <T>(path: string, body?: object) => {
    const response = await fetch(`${simulator.url}/__sim/trello${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as T;
  };
  const makeBoard: TrelloTestWorld["makeBoard"] = async (name, order = {}) => {
    const made = await happen<{ id: string }>("/boards", { name, content: "full", ...order });
    return { externalId: made.id, fullName: name };
  };
  const makeSmall = async (name: string) => {
    const board = await makeBoard(name);
    const cards = world.state.boards.find(({ id }) => id === board.externalId)?.cards ?? [];
    for (const card of cards.slice(4)) await happen(`/cards/${card.id}/delete`, {});
    return board;
  };
  const [item, doomed] = [
    await (isSmall ? makeSmall : makeBoard)("Harbour works"),
    await makeBoard("Old tariffs", { content: "empty" }),
  ];
  await makeBoard("harbour works, second half", { content: "empty" });
  return {
    simulator,
    happen,
    makeBoard,
    memberId: findMember(world, LOGIN)?.id ?? "",
    dump: ({ externalId }) => happen<BoardDump>(`/boards/${externalId}/dump`),
    boardsNamed: (name) => world.state.boards.filter((board) => board.name === name),
    workspace: (name = WORKSPACE) =>
      world.state.organizations.find((organization) => organization.name === name)?.id ?? "",
    config: configSchema.parse({
      TRELLO_API_URL: `${simulator.url}/1`,
      TRELLO_URL: simulator.url,
      TRELLO_AUTH_URL: simulator.url,
      TRELLO_CLIENT_ID: DEFAULT_TRELLO_SETTINGS.clientId,
      TRELLO_CLIENT_SECRET: DEFAULT_TRELLO_SETTINGS.clientSecret,
      TRELLO_API_KEY: DEFAULT_TRELLO_SETTINGS.apiKey,
    }),
    accountName: LOGIN,
    kind: "board",
    issueToken: async () => (await happen<{ token: string }>("/token", { kind: "oauth2" })).token,
    item,
    doomed,
    fingerprint: async ({ externalId }) => JSON.stringify(await happen(`/boards/${externalId}/fingerprint`)),
    deleteItem: ({ externalId }) => happen(`/boards/${externalId}/delete`, {}),
    revoke: () => happen("/token/revoke", {}),
    exhaustQuota: async () => {
      const match = { path: "^/1/" };
      simulator.faults.add({ match, action: { kind: "rate-limit", shape: "token" } });
      return Date.now() + DEFAULT_TRELLO_SETTINGS.windowMs;
    },
    stop: () => simulator.stop(),
  };
}
