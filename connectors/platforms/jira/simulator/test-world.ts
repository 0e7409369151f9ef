import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { misfitsOf } from "./expect-fits.ts";
import { type JiraSimulatorOptions, startJiraSimulator } from "./jira-simulator.ts";
import { SCOPES } from "./scopes.ts";
import { findIssue, findPerson, findProject, findSite } from "./store.ts";
import { issueToken } from "./tokens.ts";

/** A JSON body in a test, not validated. */
// biome-ignore lint/suspicious/noExplicitAny: Tests read bodies that they then compare.
export type Json = any;

type Init = { method?: string; body?: unknown; as?: string | null; site?: string; api?: string };

/**
 * Starts a simulated Jira for one test and stops it afterwards. At the end, checks every answer against the published
 * operations, if they are available.
 */
export async function jiraForTest(options: JiraSimulatorOptions = {}) {
  const answers: AnsweredExchange[] = [];
  const jira = await startJiraSimulator({
    seed: "people",
    onAnswer: (exchange) => answers.push(exchange),
    ...options,
  });
  onTestFinished(async () => {
    await jira.stop();
    expect([...new Set(answers.flatMap(misfitsOf))]).toEqual([]);
  });
  const { world } = jira;
  const site = findSite(world, "meridian")!;
  const tokenOf = (email: string, scopes: string[] = Object.keys(SCOPES)) => {
    const { accountId } = findPerson(world, email)!;
    const own = world.state.sites.filter(({ members }) =>
      members.some((member) => member.accountId === accountId),
    );
    return issueToken(world, { accountId, cloudIds: own.map(({ cloudId }) => cloudId), scopes });
  };
  const headerOf = (email: string, scopes?: string[]) => `Bearer ${tokenOf(email, scopes).value}`;
  const nora = headerOf("nora@meridian.example");
  const base = `${jira.url}/ex/jira/${site.cloudId}`;
  const ask = (pathAndQuery: string, { method = "GET", body, as = nora, api = "/rest/api/3" }: Init = {}) => {
    const isForm = body instanceof FormData;
    return fetch(`${base}${api}${pathAndQuery}`, {
      method,
      redirect: "manual",
      headers: {
        ...(as === null ? {} : { Authorization: as }),
        ...(isForm ? { "X-Atlassian-Token": "no-check" } : {}),
        ...(body !== undefined && !isForm ? { "Content-Type": "application/json" } : {}),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
  };
  /** The body of an answer that must succeed. */
  const get = async (pathAndQuery: string, init: Init = {}): Promise<Json> => {
    const answer = await ask(pathAndQuery, init);
    const text = await answer.text();
    expect([answer.status < 300, answer.ok ? "" : text], pathAndQuery).toEqual([true, ""]);
    return text === "" ? null : JSON.parse(text);
  };
  const control = async (pathname: string, body: unknown = {}): Promise<Json> => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(`${jira.url}/__sim/jira/${pathname}`, init);
    const text = await answer.text();
    expect([answer.ok, answer.ok ? "" : text], pathname).toEqual([true, ""]);
    return text === "" ? null : JSON.parse(text);
  };
  return {
    ...jira,
    ...{ answers, site, base, ask, get, control, tokenOf, headerOf },
    post: (pathname: string, body: unknown, init: Init = {}) =>
      get(pathname, { ...init, method: "POST", body }),
    put: (pathname: string, body: unknown, init: Init = {}) =>
      get(pathname, { ...init, method: "PUT", body }),
    agile: (pathname: string, init: Init = {}) => get(pathname, { api: "/rest/agile/1.0", ...init }),
    /** Status and body of an answer that fails. */
    refusal: async (pathname: string, init: Init = {}): Promise<[number, Json]> => {
      const answer = await ask(pathname, init);
      const text = await answer.text();
      return [answer.status, text === "" ? null : JSON.parse(text)];
    },
    /** The ids of a search. */
    search: async (jql: string, more: object = {}): Promise<string[]> => {
      const { issues } = await get("/search/jql", { method: "POST", body: { jql, ...more } });
      return issues.map(({ id }: { id: string }) => id);
    },
    /** Makes a project at Meridian's site. */
    project: async (order: Record<string, unknown> = {}) => {
      const { key } = await control("sites/meridian/projects", { key: "QUAY", name: "Quay", ...order });
      return findProject(site, key)!;
    },
    /** Makes an issue as somebody else would. */
    issue: async (key: string, summary: string, more: Record<string, unknown> = {}) => {
      const made = await control(`sites/meridian/projects/${key}/issues`, { summary, ...more });
      return findIssue(world, site, made.id)!;
    },
  };
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The body of an answer, not validated. */
export async function jsonOf(answer: Response | Promise<Response>): Promise<Json> {
  return (await answer).json();
}

/** A document of one paragraph. */
export function documentOf(text: string) {
  return { type: "doc", version: 1, content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
}
