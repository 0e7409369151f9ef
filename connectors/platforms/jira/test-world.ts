import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { configSchema } from "./authorize.ts";
import { connector } from "./connector.ts";
import { jiraVars } from "./simulator/index.ts";
import { type JiraSimulator, startJiraSimulator } from "./simulator/jira-simulator.ts";
import type { JiraSettings, Project, Site } from "./simulator/state.ts";
import { findPerson, findProject, findSite } from "./simulator/store.ts";

/** A project at the simulated Jira. */
export type ProjectReference = { externalId: string; fullName: string };

export const NORA = "nora@meridian.example";
const SITE = "meridian";

/** Nora's site at a simulated Jira, with handles for tests. */
export type JiraTestWorld = {
  simulator: JiraSimulator;
  site: Site;
  config: ReturnType<typeof configSchema.parse>;
  connectionDetails: Record<string, string>;
  /** Causes something that happens at Jira without us, through the simulator's control routes. */
  happen<T>(path: string, body?: object): Promise<T>;
  issueToken(scopes?: string[]): Promise<string>;
  session(more?: Partial<Parameters<typeof testSession>[0]>): Promise<TestSession>;
  makeProject(key: string, more?: object): Promise<ProjectReference & { key: string }>;
  makeIssue(key: string, summary: string, more?: object): Promise<{ id: string; key: string }>;
  projectOf(reference: ProjectReference): Project;
  backUp(
    reference: ProjectReference,
    previous?: MemorySnapshot | null,
    by?: TestSession,
  ): Promise<MemorySnapshot>;
  stop(): Promise<void>;
};

/** Opens a simulated Jira. Other tests cover the limits, so that they are generous here. */
export async function openJiraWorld(settings: Partial<JiraSettings> = {}): Promise<JiraTestWorld> {
  const generous = {
    ...{ burstRead: 1e6, burstWrite: 1e6, issueWritesShort: 1e6, issueWritesLong: 1e6, globalPoints: 1e9 },
  };
  const simulator = await startJiraSimulator({ seed: "people", settings: { ...generous, ...settings } });
  const { world } = simulator;
  const site = findSite(world, SITE)!;
  const nora = findPerson(world, NORA)!;
  const config = configSchema.parse(jiraVars(simulator));
  const connectionDetails = {
    cloudId: site.cloudId,
    siteUrl: `${simulator.url}/sites/${SITE}`,
    accountId: nora.accountId,
    fullName: nora.displayName,
    timeZone: nora.timeZone,
  };
  const happen: JiraTestWorld["happen"] = async <T>(path: string, body?: object) => {
    const response = await fetch(`${simulator.url}/__sim/jira${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as T;
  };
  const issueToken: JiraTestWorld["issueToken"] = async (scopes) => {
    const order = { sites: [SITE], ...(scopes ? { scopes } : {}) };
    return (await happen<{ token: string }>("/token", order)).token;
  };
  const session: JiraTestWorld["session"] = async (more = {}) =>
    testSession({ config, accountName: site.name, connectionDetails, token: await issueToken(), ...more });
  return {
    ...{ simulator, site, config, connectionDetails, happen, issueToken, session },
    async makeProject(key, more = {}) {
      const name = `Project ${key}`;
      const made = await happen<{ id: string }>(`/sites/${SITE}/projects`, { key, name, ...more });
      return { externalId: made.id, fullName: `${key} · ${name}`, key };
    },
    makeIssue: (key, summary, more = {}) =>
      happen(`/sites/${SITE}/projects/${key}/issues`, { summary, ...more }),
    projectOf: ({ externalId }) => findProject(site, externalId)!,
    async backUp(reference, previous = null, by) {
      const used = by ?? (await session());
      const item = await connector.getItem(used, { kind: "project", ...reference });
      return await takeSnapshot(connector.backUp(used, { item, previous, cursor: null }), previous);
    },
    stop: () => simulator.stop(),
  };
}
