import { expect, test } from "vitest";
import type { Session } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { openSpecification } from "#tests/conformance/specification.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { configSchema } from "./authorize.ts";
import { readFields, type SettingIo, settingParts } from "./backup/read-settings.ts";
import { countIssues, fetchIssues, searchIds, searchIssues } from "./backup/search-issues.ts";
import { jiraClient, paths } from "./client.ts";
import { inventory } from "./inventory.ts";
import {
  changesSchema,
  commentsSchema,
  keysSchema,
  meSchema,
  propertySchema,
  remoteLinksSchema,
  typeStatusesSchema,
  usersSchema,
  votersSchema,
  watchersSchema,
  worklogsSchema,
} from "./payloads.ts";
import { restCalls } from "./restore/rest-calls.ts";
import { countSeats } from "./seats.ts";

/** Lists that the document gives no example for. */
const WITHOUT_EXAMPLE = /^GET .*\/screens\/[^/]+\/tabs(\/[^/]+\/fields)?$/;

/** Atlassian's own examples of answers, by operation, e.g. `GET /rest/api/3/field`. */
function examples(): { answer: (method: string, url: string) => Response; answered: Set<string> } {
  const specification = openSpecification("jira");
  const { paths: all } = readContract("jira/swagger-v3.v3.json") as { paths: Record<string, Json> };
  const answered = new Set<string>();
  const exampleOf = (template: string, method: string): { status: number; example: Json } | null => {
    const { responses } = (all[template] as Record<string, { responses: Record<string, Json> }>)[method]!;
    for (const [status, response] of Object.entries(responses)) {
      const { content = {} } = response as { content?: Record<string, { example?: Json }> };
      const example = content["application/json"]?.example;
      if (!/^2/.test(status) || example === undefined) continue;
      return { status: Number(status), example: typeof example === "string" ? JSON.parse(example) : example };
    }
    return null;
  };
  const answer = (method: string, url: string): Response => {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.slice(pathname.indexOf("/rest/"));
    if (WITHOUT_EXAMPLE.test(`${method} ${path}`)) return Response.json([]);
    const operation = specification.findOperation(method, path);
    if (operation === null) throw new Error(`The document has no ${method} ${path}`);
    const found = exampleOf(operation.template, operation.method);
    if (found === null) return new Response(null, { status: 204 });
    answered.add(`${method} ${operation.template}`);
    const { status, example } = found;
    // The examples are one page of many; the rest is empty.
    const isLater = Number(searchParams.get("startAt") ?? 0) > 0;
    const page = isLater && typeof example === "object" ? { ...example, values: [], isLast: true } : example;
    return Response.json(page, { status });
  };
  return { answer, answered };
}

const PROJECT = "10000";
const NEW_ISSUE = { fields: { summary: "Words" }, properties: [] };
const DOC = { type: "doc" as const, version: 1, content: [] };

/** Every call of the REST API that the connector makes, with its own parser. */
function callsOf(session: Session): Record<string, () => Promise<unknown>> {
  const client = jiraClient(session);
  const calls = restCalls(session);
  const item = { kind: "project", externalId: PROJECT, details: { style: "classic" } };
  const io = { client, projectId: PROJECT, typeIds: ["1"], run: { order: { item } } } as unknown as SettingIo;
  const get = (path: string, schema: Parameters<typeof client.request>[1]) =>
    client.request({ method: "GET", path, about: "it", endpoint: "issue" }, schema);
  const jql = `project = ${PROJECT}`;
  return {
    me: () => get(paths.me, meSchema),
    seats: () => countSeats(session),
    projects: () =>
      inventory.listItems(session, { kind: "project", place: null, name: null, page: 0, perPage: 2 }),
    project: () => inventory.getItem(session, { kind: "project", externalId: PROJECT, fullName: "EX" }),
    statuses: () => get(paths.projectStatuses(PROJECT), typeStatusesSchema),
    issues: () => searchIssues(client, jql),
    ids: () => searchIds(client, jql, null),
    some: () => fetchIssues(client, PROJECT, ["1"]),
    count: () => countIssues(client, jql),
    comments: () => get(paths.comments("1"), commentsSchema),
    worklogs: () => get(paths.worklogs("1"), worklogsSchema),
    changes: () => get(paths.changes("1"), changesSchema),
    watchers: () => get(paths.watchers("1"), watchersSchema),
    votes: () => get(paths.votes("1"), votersSchema),
    links: () => get(paths.remoteLinks("1"), remoteLinksSchema),
    properties: () => get(paths.issueProperties("1"), keysSchema),
    property: () => get(paths.issueProperty("1", "one"), propertySchema),
    people: () => get(paths.users, usersSchema),
    fields: () => readFields(client),
    ...Object.fromEntries(
      settingParts
        .filter(({ isServiceDeskOnly }) => !isServiceDeskOnly)
        .map(({ name, read }) => [`setting ${name}`, () => read(io)]),
    ),
    "restore: project": () => calls.project(PROJECT),
    "restore: projects": () => calls.findProjects("EX"),
    "restore: key": () => calls.freeKey("EX"),
    "restore: new project": () =>
      calls.createProject({
        ...{
          key: "EX",
          name: "Example",
          description: "",
          typeKey: "software",
          templateKey: "t",
          leadId: "1",
        },
      }),
    "restore: types": () => calls.createTypes(PROJECT),
    "restore: fields": () => calls.createFields(PROJECT, "1"),
    "restore: statuses": () => calls.statuses(PROJECT),
    "restore: components": () => calls.components(PROJECT),
    "restore: component": () => calls.createComponent("EX", { name: "One", description: null }),
    "restore: versions": () => calls.versions(PROJECT),
    "restore: version": () =>
      calls.createVersion(PROJECT, {
        ...{
          name: "1",
          description: null,
          released: false,
          archived: false,
          startDate: null,
          releaseDate: null,
        },
      }),
    "restore: workflow": () => calls.workflow(PROJECT, "1"),
    "restore: people": () => calls.activePeople(["1"]),
    "restore: newest": () => calls.newestNumber({ id: PROJECT, key: "EX" }),
    "restore: issues": () => calls.issues(["EX-1"]),
    "restore: bulk": () => calls.createIssues([NEW_ISSUE]),
    "restore: issue": () => calls.createIssue(NEW_ISSUE),
    "restore: transitions": () => calls.transitions("EX-1"),
    "restore: screen": () => calls.transitionFields("EX-1", "2"),
    "restore: comments": () => calls.comments("EX-1"),
    "restore: comment": () => calls.addComment("EX-1", { body: DOC, visibility: null, isInternal: false }),
    "restore: worklogs": () => calls.worklogs("EX-1"),
    "restore: web link": () => calls.addRemoteLink("EX-1", {}),
  };
}

test.skipIf(contractsAreAbsent())("every answer that Atlassian's document shows is understood", async () => {
  const { answer, answered } = examples();
  const session = testSession({
    config: configSchema.parse({}),
    token: "token",
    accountName: "Example",
    connectionDetails: { cloudId: "c", siteUrl: "https://your-domain.atlassian.net", accountId: "1" },
    fetch: async (url, init) => answer(init?.method ?? "GET", url),
  });
  const failures: string[] = [];
  const results: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(callsOf(session))) {
    try {
      results[name] = await call();
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message} ${String((error as Error).cause ?? "")}`);
    }
  }
  expect(failures).toEqual([]);
  expect(answered.size).toBe(48);
  // Each is understood, not only accepted.
  expect(results).toMatchObject({
    seats: 1_000,
    count: 153,
    issues: { issues: [{ fields: { attachment: [{ filename: "debuglog.txt", size: 2_460 }] } }], next: null },
    comments: { total: 1, comments: [{ id: "10000" }] },
    changes: { total: 5, values: [{ id: "10001" }, { id: "10002" }] },
    watchers: { watchers: [{ accountId: "5b10a2844c20165700ede21g" }] },
    "restore: key": "VPNE",
    "restore: issue": { type: "made", id: "10000", key: "ED-24" },
    "restore: bulk": [{ type: "made", id: "10000", key: "ED-24" }],
  });
  const { issues } = results.issues as { issues: { fields: { comment: unknown; worklog: unknown } }[] };
  expect(issues[0]!.fields.comment).toMatchObject({ total: 1, comments: [{ id: "10000" }] });
  expect(issues[0]!.fields.worklog).toMatchObject({ total: 1, worklogs: [{ timeSpent: "3h 20m" }] });
});
