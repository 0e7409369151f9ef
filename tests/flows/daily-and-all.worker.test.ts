import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import {
  type OutsideGitlab,
  type OutsideJira,
  type OutsideTrello,
  openGitlab,
  openJira,
  openTrello,
} from "#tests/harness/outside.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

/* Calls that several platforms have under the same path. */

let world: FlowWorld;
let trello: OutsideTrello;
let jira: OutsideJira;
let gitlab: OutsideGitlab;
let session: string;
/** Our ids of the items of each platform. */
const items: Record<string, string[]> = {};

beforeAll(async () => {
  [trello, jira, gitlab] = await Promise.all([openTrello(), openJira("http://localhost/"), openGitlab()]);
  const vars = {
    ...trello.vars,
    ...jira.vars,
    GITLAB_URL: gitlab.url,
    GITLAB_CLIENT_ID: gitlab.clientId,
    GITLAB_CLIENT_SECRET: gitlab.clientSecret,
  };
  world = await openFlowWorld({ isConnected: false, vars });
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  const { sites } = await jira.control<{ sites: { slug: string; cloudId: string }[] }>("sites");
  await connect(world, "trello", "nora_lindqvist");
  await connect(world, "gitlab", "nora-lindqvist");
  const site = sites.find(({ slug }) => slug === "meridian")!.cloudId;
  await connect(world, "jira", "nora@meridian.example", { site });
  for (const name of ["Crane", "Winch"]) {
    await trello.control("boards", { name });
    await gitlab.control("projects", { path: `nora-lindqvist/${name.toLowerCase()}` });
    await jira.control("sites/meridian/projects", { key: name.slice(0, 4).toUpperCase(), name });
  }
  const first = { page: "0", perPage: "10" };
  const add = async (platform: string, list: string, found: string, path: string, ids: string) => {
    const { result } = await ask("GET", `${platform}/${list}`, { query: first });
    const rows = (result as unknown as Record<string, { id: string }[]>)[found] ?? [];
    const added = await ask("POST", `${platform}/${path}`, {
      body: { [ids]: rows.map(({ id }) => ({ id })) },
    });
    const [made = []] = Object.values(added.result as unknown as Record<string, { id: string }[]>);
    items[platform] = made.map(({ id }) => id);
  };
  await add("trello", "get-available-trello-boards", "not_added_boards", "add-boards", "boardsIds");
  const projects = "get-all-available-for-backup-jira-projects-list";
  await add("jira", projects, "available_projects", "add-jira-projects", "projectsIds");
  const ofGitlab = "get-available-projects-for-gitlab-user";
  await add("gitlab", ofGitlab, "not_added_projects", "add-gitlab-projects", "projectsIds");
  await world.drain();
});
afterAll(async () => {
  await world.close();
  await Promise.all([trello.close(), jira.close(), gitlab.close()]);
});

/** Sends a request to the whole product over HTTP, as the owner. @throws when it is refused */
async function ask(
  method: string,
  path: string,
  given: { query?: Record<string, string>; body?: object } = {},
) {
  const bindings = { ...httpBindings(world), ...trello.vars, ...jira.vars } as unknown as Env;
  const at = {
    GITLAB_URL: gitlab.url,
    GITLAB_CLIENT_ID: gitlab.clientId,
    GITLAB_CLIENT_SECRET: gitlab.clientSecret,
  };
  const headers = { Authorization: session };
  const call = { method, path: `/api/${path}`, headers, ...given };
  const answer = await sendTo({ ...bindings, ...at } as unknown as Env, call);
  expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
  return answer.json as { result: Record<string, unknown> };
}

const queued = async () =>
  (
    await world.rows<{ item_id: string }>(
      "SELECT item_id FROM run WHERE kind = 'backup' AND status = 'queued'",
    )
  ).map((run) => run.item_id);

test("[P-401] backup-all-items-now of Trello, Jira and GitLab queues a run for each active item of the platform", async () => {
  for (const platform of ["trello", "jira", "gitlab"]) {
    const own = items[platform]!;
    expect([platform, own.length]).toEqual([platform, 2]);
    const { result } = await ask("GET", `${platform}/backup-all-items-now`);
    expect([platform, result.queued]).toEqual([platform, 2]);
    expect((await queued()).sort()).toEqual([...own].sort());
    await world.drain();
  }
});

test("[P-397] update-daily-backup-items-statuses of GitLab and Jira takes is_daily_backed_up and projectsIds", async () => {
  for (const platform of ["gitlab", "jira"]) {
    const [first, second] = items[platform]!;
    const body = { is_daily_backed_up: false, projectsIds: [first] };
    await ask("PUT", `${platform}/update-daily-backup-items-statuses`, { body });
    const sql = "SELECT is_daily FROM item WHERE id = ?";
    const stateOf = async (id: string) => (await world.rows<{ is_daily: number }>(sql, id))[0]?.is_daily;
    expect([platform, await stateOf(first!), await stateOf(second!)]).toEqual([platform, 0, 1]);
    await ask("PUT", `${platform}/update-daily-backup-items-statuses`, {
      body: { ...body, is_daily_backed_up: true },
    });
    expect([platform, await stateOf(first!)]).toEqual([platform, 1]);
  }
});
