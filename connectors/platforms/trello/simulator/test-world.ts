import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { misfitsOf } from "./expect-fits.ts";
import type { Board, Card } from "./state.ts";
import { find, findMember } from "./store.ts";
import { issueLegacyToken } from "./tokens.ts";
import {
  startTrelloSimulator,
  type TrelloSimulator,
  type TrelloSimulatorOptions,
} from "./trello-simulator.ts";

/** A JSON body in a test, not validated. */
export type Json = Record<string, unknown> & { id: string };

/**
 * Starts a simulated Trello for one test and stops it afterwards. At the end, checks every response against recorded
 * responses and published operations, if they are available.
 */
export async function trelloForTest(options: TrelloSimulatorOptions = {}) {
  const answers: AnsweredExchange[] = [];
  const trello = await startTrelloSimulator({
    seed: "people",
    onAnswer: (exchange) => answers.push(exchange),
    ...options,
  });
  onTestFinished(async () => {
    await trello.stop();
    expect([...new Set(answers.flatMap(misfitsOf))]).toEqual([]);
  });
  return { ...trello, answers, ...tools(trello) };
}

/** Helpers for tests. */
function tools(trello: TrelloSimulator) {
  const { world } = trello;
  const headerOf = (username: string, scopes = ["read", "write", "account"]) => {
    const idMember = findMember(world, username)?.id ?? "";
    const { value } = issueLegacyToken(world, { idMember, scopes, lifetimeMs: null });
    return `OAuth oauth_consumer_key="${world.settings.apiKey}", oauth_token="${value}"`;
  };
  const own = headerOf("nora_lindqvist");
  const ask = (pathAndQuery: string, init: RequestInit & { as?: string | null } = {}) => {
    const { as = own, ...rest } = init;
    const headers = {
      ...(as === null ? {} : { Authorization: as }),
      ...(typeof rest.body === "string" ? { "Content-Type": "application/json" } : {}),
    };
    return fetch(`${trello.url}/1${pathAndQuery}`, { redirect: "manual", ...rest, headers });
  };
  const json = async <T = Json>(pathAndQuery: string, init: RequestInit & { as?: string | null } = {}) => {
    const answer = await ask(pathAndQuery, init);
    const text = await answer.text();
    expect([answer.status, answer.status === 200 ? "" : text], pathAndQuery).toEqual([200, ""]);
    return JSON.parse(text) as T;
  };
  const send = <T = Json>(method: string, pathname: string, body: unknown, as?: string) =>
    json<T>(pathname, { method, body: JSON.stringify(body), ...(as === undefined ? {} : { as }) });
  const control = async <T = Json>(pathname: string, body: unknown = {}) => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${trello.url}/__sim/trello/${pathname}`, init);
    const text = await answer.text();
    expect([answer.ok, answer.ok ? "" : text], pathname).toEqual([true, ""]);
    return (text === "" ? null : JSON.parse(text)) as T;
  };
  return {
    headerOf,
    ask,
    json,
    control,
    get: <T = Json>(pathname: string, as?: string) => json<T>(pathname, as === undefined ? {} : { as }),
    post: <T = Json>(pathname: string, body: unknown, as?: string) => send<T>("POST", pathname, body, as),
    put: <T = Json>(pathname: string, body: unknown, as?: string) => send<T>("PUT", pathname, body, as),
    remove: (pathname: string) => json(pathname, { method: "DELETE" }),
    /** Status and text of an error response. */
    refusalOf: async (pathname: string, init: RequestInit & { as?: string | null } = {}) => {
      const answer = await ask(pathname, init);
      return [answer.status, await answer.text()] as const;
    },
    fault: (order: FaultOrder) => trello.faults.add(order),
    /** Creates a board of Nora's in the premium workspace. */
    board: async (order: Record<string, unknown> = {}): Promise<Board> => {
      const { id } = await control("boards", { name: "Quay", ...order });
      return find(world, "board", id)?.board as Board;
    },
    card: (id: string) => find(world, "card", id)?.card as Card,
  };
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
