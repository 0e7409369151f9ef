import { Client, LogLevel } from "@notionhq/client";
import { expect, onTestFinished } from "vitest";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { API_VERSION } from "./api.ts";
import { misfitsOf } from "./expect-fits.ts";
import { grantAccess } from "./grants.ts";
import {
  type NotionSimulator,
  type NotionSimulatorOptions,
  startNotionSimulator,
} from "./notion-simulator.ts";
import type { Grant } from "./state.ts";
import { withinContract } from "./within-contract.ts";

/** A JSON body in a test, not validated. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
export type Json = any;

/**
 * Starts a simulated Notion for one test and stops it afterwards. At the end, every answer of the API is held against
 * its contract, if that is available.
 */
export async function notionForTest(options: NotionSimulatorOptions = {}) {
  const answers: AnsweredExchange[] = [];
  const notion = await startNotionSimulator({
    seed: "people",
    onAnswer: (exchange) => answers.push(exchange),
    ...options,
  });
  onTestFinished(async () => {
    await notion.stop();
    // Token requests have an answer of their own; one that the gateway spoilt is nobody's.
    const held = answers.filter(({ url, status }) => !url.includes("oauth/") && status !== 504);
    const misfits = held.flatMap((exchange) =>
      misfitsOf({ ...exchange, body: withinContract(exchange.body) }),
    );
    expect([...new Set(misfits)]).toEqual([]);
  });
  return { ...notion, answers, ...tools(notion) };
}

/** Helpers for tests. */
function tools(notion: NotionSimulator) {
  const { world } = notion;
  const [nora] = world.state.people;
  const [meridian] = world.state.workspaces;
  /** A grant for everything at the top of Meridian's workspace, or for the given pages. */
  const grant = (order: { rootIds?: string[]; capabilities?: Grant["capabilities"] } = {}): Grant =>
    grantAccess(world, {
      ...{ personId: nora!.id, workspaceId: meridian!.id, rootIds: meridian!.rootIds },
      ...{ isApart: order.rootIds !== undefined || order.capabilities !== undefined, ...order },
    });
  let own: Grant | null = null;
  const usual = () => {
    own ??= grant();
    return own.token;
  };
  const ask = (path: string, init: RequestInit & { as?: string | null } = {}) => {
    const { as = usual(), ...rest } = init;
    const headers = {
      "Notion-Version": API_VERSION,
      ...(as === null ? {} : { Authorization: `Bearer ${as}` }),
      ...(typeof rest.body === "string" ? { "Content-Type": "application/json" } : {}),
      ...(rest.headers as Record<string, string> | undefined),
    };
    return fetch(`${notion.url}/v1${path}`, { redirect: "manual", ...rest, headers });
  };
  const json = async (path: string, init: RequestInit & { as?: string | null } = {}): Promise<Json> => {
    const answer = await ask(path, init);
    const text = await answer.text();
    expect([answer.status, answer.status === 200 ? "" : text], path).toEqual([200, ""]);
    return JSON.parse(text);
  };
  return {
    ...{ ask, json, grant },
    post: (path: string, body: unknown, as?: string) =>
      json(path, { method: "POST", body: JSON.stringify(body), ...(as === undefined ? {} : { as }) }),
    /** Notion's own client, which is not ours. */
    sdk: ({ token } = grant()) =>
      new Client({
        ...{ auth: token, baseUrl: notion.url, notionVersion: API_VERSION, retry: false },
        logLevel: LogLevel.ERROR,
      }),
    control: async (path: string, body: unknown = {}): Promise<Json> => {
      const init = { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(`${notion.url}/__sim/notion/${path}`, init);
      const text = await answer.text();
      expect([answer.ok, answer.ok ? "" : text], path).toEqual([true, ""]);
      return text === "" ? null : JSON.parse(text);
    },
    /** Status, code and message of a refusal. */
    refusalOf: async (
      path: string,
      init: RequestInit & { as?: string | null } = {},
    ): Promise<[number, string, string]> => {
      const answer = await ask(path, init);
      const { code, message } = (await answer.json()) as { code: string; message: string };
      return [answer.status, code, message];
    },
    fault: (order: FaultOrder) => notion.faults.add(order),
  };
}
