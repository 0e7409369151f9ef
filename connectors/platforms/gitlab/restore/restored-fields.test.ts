import { afterAll, beforeAll, expect, test } from "vitest";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  expectRestored,
  type Fields,
  type OtherWay,
  type Pair,
  pairUp,
} from "#tests/conformance/coverage/expect-restored.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { coverage } from "../coverage.ts";
import { findUser } from "../simulator/namespaces.ts";
import { codeDirectory } from "../simulator/projects.ts";
import type { Project, Snippet } from "../simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "../test-world.ts";

const IVO = "ivo.petrov";
const AT = "2026-03-02T10:22:00.000Z";

let world: GitlabTestWorld;
let session: () => TestSession;
beforeAll(async () => {
  world = await openGitlabWorld("project", { issueLimit: 100_000, noteLimit: 100_000, rateLimit: 1_000_000 });
  const token = await world.issueToken();
  session = () => testSession({ config: world.config, token, accountName: world.accountName });
});
afterAll(() => world.stop());

const post = <T = { id: number; iid: number }>(path: string, body: object) =>
  world.ask<T>("POST", path, body);

/** A project in which every field that a restore brings back has a value. */
async function makeEverything(): Promise<Project> {
  const project = await world.makeProject("depot");
  const at = `/projects/${project.id}`;
  const code = codeDirectory(world.simulator.world, project);
  for (const branch of ["lives", "merged"]) {
    runGit(code, ["branch", branch, "main"]);
    await addCommits(code, { count: 1, branch });
  }
  const label = await post(`${at}/labels`, {
    ...{ name: "crane", color: "#ff8800", description: "Cranes", priority: 3 },
  });
  const dates = { start_date: "2026-01-01", due_date: "2026-04-01" };
  const milestone = await post(`${at}/milestones`, {
    title: "Spring",
    description: "When it thaws",
    ...dates,
  });
  for (const title of ["Gate", "Hinge"])
    await post(`${at}/issues`, {
      ...{ title, description: `${title} squeaks`, labels: "crane", milestone_id: milestone.id, weight: 5 },
      ...{ due_date: "2026-03-30", confidential: title === "Gate", issue_type: "incident", created_at: AT },
    });
  await post(`${at}/issues/1/notes`, { body: "Oiled", created_at: AT });
  await post(`${at}/issues/1/links`, { target_project_id: project.id, target_issue_iid: 2 });
  for (const source_branch of ["lives", "merged"])
    await post(`${at}/merge_requests`, {
      ...{ source_branch, target_branch: "main", title: `It ${source_branch}`, description: "Look at it" },
      ...{ labels: "crane", milestone_id: milestone.id, squash: true },
    });
  await post(`${at}/releases`, {
    ...{
      tag_name: "v1.0",
      name: "First crane",
      description: "Lifts",
      milestones: ["Spring"],
      released_at: AT,
    },
    assets: { links: [{ name: "Plan", url: "https://docs.example/plan.pdf", link_type: "runbook" }] },
  });
  const board = await post(`${at}/boards`, { name: "Yard" });
  await post(`${at}/boards/${board.id}/lists`, { label_id: label.id });
  await post(`${at}/protected_branches`, {
    ...{ name: "release/*", push_access_level: 30, merge_access_level: 40, allow_force_push: true },
  });
  await post(`${at}/protected_tags`, { name: "v*", create_access_level: 30 });
  const image_url = "https://ci.example/%{project_path}.svg";
  await post(`${at}/badges`, { name: "Build", link_url: "https://ci.example/", image_url });
  await world.ask("PUT", at, {
    ...{ description: "Cranes and gates", topics: ["crane"], merge_method: "ff", squash_option: "always" },
    ...{ only_allow_merge_if_pipeline_succeeds: true, remove_source_branch_after_merge: false },
    ...{ only_allow_merge_if_all_discussions_are_resolved: true, request_access_enabled: false },
  });
  const ivo = findUser(world.simulator.world, IVO)?.id ?? 0;
  const award = { id: 1, name: "thumbsup", userId: ivo, createdAt: AT, updatedAt: AT };
  const [lives, merged] = project.mergeRequests;
  if (!lives || !merged) throw new Error("there is no merge request");
  for (const thing of [...project.issues, ...project.mergeRequests]) {
    Object.assign(thing, { authorId: ivo, assigneeIds: [ivo], awards: [award], isDiscussionLocked: true });
    for (const note of thing.notes) note.authorId = ivo;
  }
  Object.assign(project.issues[1] ?? {}, { state: "closed", closedAt: AT, closedById: ivo });
  Object.assign(merged, {
    ...{ state: "merged", mergedAt: AT, mergedById: ivo, mergeCommitSha: merged.sha },
  });
  await world.ask("PUT", `${at}/milestones/${milestone.id}`, { state_event: "close" });
  return project;
}

/** A project with other settings than those of a new one. */
async function makeSwitchedOff(): Promise<Project> {
  const project = await world.makeProject("switched-off");
  const parts = ["issues", "merge_requests", "wiki", "snippets"];
  const levels = parts.map((part) => [`${part}_access_level`, "disabled"]);
  runGit(codeDirectory(world.simulator.world, project), ["branch", "trunk", "main"]);
  await world.ask("PUT", `/projects/${project.id}`, {
    ...Object.fromEntries(levels),
    default_branch: "trunk",
  });
  return project;
}

async function restored(thing: Project | Snippet, name: string) {
  const kind = "title" in thing ? "snippet" : "project";
  const item = await connector.getItem(session(), { kind, ...world.reference(thing) });
  const version = await takeSnapshot(connector.backUp(session(), { item, previous: null, cursor: null }));
  expect(version.skipped).toEqual([]);
  await runRestore(connector.restore(session(), version, asNew(name), memoryJournal()));
  return kind === "snippet" ? world.snippetTitled(name) : world.projectNamed(name);
}

const nested = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
const textOf = ({ after }: Pair) => String(after.description ?? after.body);
/** A field that a line above the text, or the text, names. */
const says = (because: string, phraseOf: (before: Fields) => string): OtherWay => ({
  because,
  holds: (pair) => textOf(pair).includes(phraseOf(pair.before)),
});
const moment = (value: Json | undefined) => momentText(String(value));
const DATES = "A merge request takes no date, so a line names it.";
const MERGED = "A merge cannot be repeated, so the text names it.";
const BRANCHES = "What was merged becomes an issue, whose text names its branches.";

const origin = {
  description: says("The text stands below a line that names its origin.", (one) => String(one.description)),
  author: says(
    "GitLab shows the restoring account as the author.",
    ({ author }) => `**${String(nested(author, "username"))}**`,
  ),
  assignees: says("A restore invites nobody, so a line names them.", () => `Assigned to ${IVO}.`),
  web_url: says("A copy has its own address; the line links the original.", ({ web_url }) =>
    String(web_url).replace(/^https?:\/\//, ""),
  ),
};

/** Labels by name, milestones by title, rules by level, files by path. */
function plain(value: Json, field: string): unknown {
  if (field === "milestone") return nested(value, "title");
  if (field === "label") return nested(value, "name");
  if (field === "assets") return nested(value, "links") && linksOf(value).map(({ name, url }) => [name, url]);
  if (!Array.isArray(value)) return value;
  if (field === "topics") return value.toSorted();
  const keys = {
    ...{ milestones: "title", push_access_levels: "access_level", merge_access_levels: "access_level" },
    ...{ create_access_levels: "access_level", files: "path" },
  } as const;
  if (field in keys) return value.map((one) => nested(one, keys[field as keyof typeof keys]));
  if (field === "lists")
    return value.map((one) => [nested(nested(one, "label"), "name"), nested(one, "position")]);
  return value;
}
const linksOf = (assets: Json | undefined) => nested(assets, "links") as Fields[];

test("every field that is said to be restored comes back", async () => {
  const [depot, off] = [await makeEverything(), await makeSwitchedOff()];
  const copies = [await restored(depot, "copy"), await restored(off, "copy-off")] as [Project, Project];
  const tool = await world.makeSnippet("crane tool", { description: "Turns the crane" });
  const toolCopy = await restored(tool, "tool-copy");
  const get = (path: string) => world.ask<Fields>("GET", path);
  const shown = async (project: Project) => await get(`/projects/${project.id}`);
  const list = (project: Project, path: string) =>
    world.ask<Fields[]>("GET", `/projects/${project.id}/${path}`);
  const same = (key: string) => (one: Fields, copy: Fields) => one[key] === copy[key];
  const pairs = async (path: string, key: string) =>
    pairUp(await list(depot, path), await list(copies[0], path), same(key));
  const namespace = await get(`/namespaces/${world.accountName}`);
  const blank = await post<Fields>("/projects", { name: "blank", path: "blank", namespace_id: namespace.id });

  const issues = pairUp(await list(depot, "issues"), await list(copies[0], "issues"), same("title"));
  const threads = [...(await list(copies[0], "issues")), ...(await list(copies[0], "merge_requests"))];
  const requests = pairUp(await list(depot, "merge_requests"), threads, (one, copy) =>
    String(copy.title).endsWith(String(one.title)),
  );
  const notesOf = async (project: Project) =>
    (await list(project, "issues/1/notes")).filter(({ system }) => system !== true);
  const releases = await pairs("releases", "tag_name");
  const boards = await pairs("boards", "name");
  const inDepot = await list(depot, "issues/1/links");
  expectRestored(coverage, {
    Project: {
      pairs: [
        { before: await shown(depot), after: await shown(copies[0]) },
        { before: await shown(off), after: await shown(copies[1]) },
      ],
      blank,
      plain,
      ways: {
        name: {
          because: "The restore makes a project of the chosen name.",
          holds: ({ after }) => after.name === "copy" || after.name === "copy-off",
        },
      },
    },
    Issues: {
      pairs: issues,
      plain,
      ways: { ...origin, closed_at: says("No call takes it.", (one) => moment(one.closed_at)) },
    },
    "Merge requests": {
      pairs: requests,
      plain,
      ways: {
        ...origin,
        title: {
          because: "What was merged becomes an issue, whose title says so.",
          holds: ({ before, after }) =>
            [before.title, `Merge request !2: ${String(before.title)}`].includes(String(after.title)),
        },
        state: {
          because: "What was merged becomes a closed issue that names the merge.",
          holds: (pair) =>
            pair.after.state === pair.before.state ||
            (pair.before.state === "merged" &&
              pair.after.state === "closed" &&
              textOf(pair).includes(", merged.")),
        },
        created_at: says(DATES, ({ created_at }) => moment(created_at)),
        source_branch: says(BRANCHES, ({ source_branch }) => `\`${String(source_branch)}\``),
        target_branch: says(BRANCHES, ({ target_branch }) => `into \`${String(target_branch)}\``),
        merged_at: says(MERGED, ({ merged_at }) => moment(merged_at)),
        merge_commit_sha: says(MERGED, ({ merge_commit_sha }) => String(merge_commit_sha)),
        squash: {
          because: "An issue has no squash.",
          holds: ({ before, after }) => before.squash === after.squash || before.state === "merged",
        },
      },
    },
    Comments: {
      pairs: pairUp(await notesOf(depot), await notesOf(copies[0]), (one, copy) =>
        String(copy.body).includes(String(one.body)),
      ),
      ways: {
        author: origin.author,
        body: says("The text stands below a line that names its origin.", ({ body }) => String(body)),
        id: says("GitLab assigns ids; the line links the original.", ({ id }) => `#note_${String(id)}`),
      },
    },
    Reactions: {
      pairs: issues.map(({ after }) => ({ before: { name: "thumbsup", user: IVO }, after })),
      ways: {
        name: says("A restore cannot vote in other people's names.", () => ":thumbsup: from"),
        user: says("A restore cannot vote in other people's names.", () => `from ${IVO}`),
      },
    },
    Labels: { pairs: await pairs("labels", "name") },
    Milestones: { pairs: await pairs("milestones", "title") },
    Releases: { pairs: releases, plain },
    "Links of releases": {
      pairs: releases.flatMap(({ before, after }) =>
        pairUp(linksOf(before.assets), linksOf(after.assets), same("name")),
      ),
    },
    Boards: { pairs: boards, plain },
    "Lists of boards": {
      pairs: boards.flatMap(({ before, after }) =>
        pairUp(before.lists as Fields[], after.lists as Fields[], same("position")),
      ),
      plain,
    },
    "Protected branches": { pairs: await pairs("protected_branches", "name"), plain },
    Snippets: {
      pairs: [{ before: await get(`/snippets/${tool.id}`), after: await get(`/snippets/${toolCopy.id}`) }],
      plain,
      ways: {
        title: {
          because: "The restore makes a snippet of the chosen title.",
          holds: ({ after }) => after.title === "tool-copy",
        },
      },
    },
    "Links between issues": {
      pairs: pairUp(inDepot, await list(copies[0], "issues/1/links"), same("iid")),
      ways: {
        project_id: {
          because: "A link within the project leads to the copy.",
          holds: ({ before, after }) => before.project_id === depot.id && after.project_id === copies[0].id,
        },
      },
    },
    "Protected tags": { pairs: await pairs("protected_tags", "name"), plain },
    Badges: { pairs: await pairs("badges", "name") },
  });
});
