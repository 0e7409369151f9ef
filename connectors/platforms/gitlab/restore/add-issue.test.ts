import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { partPathOf } from "#connectors/contract/part-path.ts";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { addFiles } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { createdBy, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import { connector } from "../connector.ts";
import { recordPaths } from "../record-paths.ts";
import { codeDirectory } from "../simulator/projects.ts";
import type { Project } from "../simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "../test-world.ts";

/** How many calls to lose the response of. */
const LOST = 12;
const TITLE = "Oil the crane";
const PICTURE = new Uint8Array(3_000).fill(7);

let world: GitlabTestWorld;
let token: string;
let source: Project;
let snapshot: MemorySnapshot;
beforeAll(async () => {
  world = await openGitlabWorld("project", { noteLimit: 1e6, issueLimit: 1e6, rateLimit: 1e6 });
  token = await world.issueToken();
  source = await world.makeProject("depot");
  const at = `/projects/${source.id}`;
  await world.ask("POST", `${at}/labels`, { name: "Crane", color: "#ff8800" });
  const milestone = await world.ask<{ id: number }>("POST", `${at}/milestones`, { title: "Spring" });
  const [used, unused] = [await attach("crane.png"), await attach("other.png")];
  expect(unused).not.toBe(used);
  const facts = {
    labels: "Crane",
    milestone_id: milestone.id,
    description: `It **creaks**, @ivo-petrov ${used}`,
  };
  const { iid } = await world.ask<{ iid: number }>("POST", `${at}/issues`, { title: TITLE, ...facts });
  for (const body of ["Since Monday", "Done", "Done"])
    await world.ask("POST", `${at}/issues/${iid}/notes`, { body });
  const talk = await world.ask<{ id: string }>("POST", `${at}/issues/${iid}/discussions`, { body: "Who?" });
  await world.ask("POST", `${at}/issues/${iid}/discussions/${talk.id}/notes`, { body: "Me" });
  await world.ask("PUT", `${at}/issues/${iid}`, { state_event: "close" });
  const url = `${world.simulator.url}/__sim/gitlab/projects/${source.id}/generate`;
  await fetch(url, { method: "POST", body: JSON.stringify({ mergeRequests: 1 }) });
  const item = await connector.getItem(session(), { kind: "project", ...world.reference(source) });
  snapshot = await takeSnapshot(connector.backUp(session(), { item, previous: null, cursor: null }));
});
afterAll(() => world.stop());

const session = (more: Partial<Parameters<typeof testSession>[0]> = {}): TestSession =>
  testSession({ config: world.config, token, accountName: world.accountName, ...more });

/** Attaches a file as the web site does. @returns the Markdown link for a text */
async function attach(name: string): Promise<string> {
  const body = new FormData();
  body.append("file", new File([PICTURE], name));
  const url = `${world.config.GITLAB_URL}/api/v4/projects/${source.id}/uploads`;
  const answer = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body });
  return ((await answer.json()) as { markdown: string }).markdown;
}

type Shown = {
  iid: number;
  title: string;
  state: string;
  description: string;
  labels: string[];
  milestone: { title: string } | null;
};

/** All issues of a project with the texts of their comments, by number. */
async function issuesOf({ id }: Project): Promise<(Shown & { notes: string[] })[]> {
  const all = await world.ask<Shown[]>("GET", `/projects/${id}/issues?per_page=100`);
  all.sort((a, b) => a.iid - b.iid);
  const notes = async (iid: number) => {
    const path = `/projects/${id}/issues/${iid}/notes?per_page=100&sort=asc&order_by=created_at`;
    const found = await world.ask<{ body: string; system: boolean }[]>("GET", path);
    return found.flatMap(({ body, system }) => (system ? [] : [body.split("\n").at(-1) ?? ""]));
  };
  return await Promise.all(all.map(async (issue) => ({ ...issue, notes: await notes(issue.iid) })));
}

const pathOf = (title: string) => {
  const find = ({ info }: { info: { kind: string; title?: string } }) =>
    info.kind === "issue" && info.title?.includes(title);
  return [...snapshot.entries.values()].find(find)?.info.path ?? recordPaths.issuable("issue", 1);
};

function into(project: Project, part: string): RestoreOrder {
  const item = { ...world.reference(project), name: project.name };
  return { target: { kind: "existing", item }, part, answers: {} };
}

const run = (order: RestoreOrder, by = session(), journal = memoryJournal()) =>
  runRestore(connector.restore(by, snapshot, order, journal));

/** An issue without what differs each time: its number, its mark, the address of its file. */
const comparable = ({
  title,
  state,
  description,
  labels,
  notes,
}: Awaited<ReturnType<typeof issuesOf>>[number]) => ({
  ...{ title, state, labels, notes },
  text: description.replaceAll(/[0-9a-f-]{32,}/g, ""),
});

test("an issue is added to its own project under the next number, and nothing there changes", async () => {
  const before = await issuesOf(source);
  const order = into(source, pathOf(TITLE));
  const plan = await connector.planRestore({ accountName: world.accountName }, snapshot, order);
  const { item, events } = await run(order);
  const after = await issuesOf(source);
  expect(after.slice(0, -1)).toEqual(before);
  const made = after.at(-1);
  expect(made).toMatchObject({
    ...{ title: TITLE, state: "closed", labels: ["Crane"], milestone: { title: "Spring" } },
    ...{ notes: ["Since Monday", "Done", "Done", "Who?", "Me"] },
  });
  expect(made?.description).toContain("It **creaks**, @\u200bivo-petrov");
  expect(item).toMatchObject({ ...world.reference(source), name: TITLE });
  expect(item.webUrl).toMatch(new RegExp(`/issues/${made?.iid}$`));
  expect(promisedBy(plan)).toEqual(createdBy(events));
  // Of the two attached files the issue shows one.
  expect(events).toContainEqual({ type: "restored", kind: "upload", count: 1 });
});

test("the labels are added to a project, and those that it has stay as they are", async () => {
  const other = await world.makeProject("labelled");
  const at = `/projects/${other.id}/labels`;
  const labels = async () => {
    const all = await world.ask<{ name: string; color: string }[]>("GET", `${at}?per_page=100`);
    return all.map(({ name, color }) => [name, color]).sort();
  };
  const before = await labels();
  const order = into(other, partPathOf({ type: "all", kind: "label" }));
  const plan = await connector.planRestore({ accountName: world.accountName }, snapshot, order);
  const { item, events } = await run(order);
  expect(promisedBy(plan)).toEqual(createdBy(events));
  expect(await labels()).toEqual([...before, ["Crane", "#FF8800"]].sort());
  expect(item.webUrl).toMatch(/\/labels$/);
  await world.ask("PUT", `${at}/Crane`, { color: "#000000" });
  const again = await run(order);
  expect(await labels()).toContainEqual(["Crane", "#000000"]);
  expect(again.events).toContainEqual(expect.objectContaining({ type: "changed", what: "Label Crane" }));
});

test("in another project a merge request becomes an issue, and a label that is missing is made with its colour", async () => {
  const path = [...snapshot.entries.values()].find(({ info }) => info.kind === "merge-request")?.info.path;
  const other = await world.makeProject("other");
  const before = (await issuesOf(other)).length;
  const { events } = await run(into(other, pathOf(TITLE)));
  const [made, ...more] = (await issuesOf(other)).slice(before);
  expect([made?.labels, made?.milestone, more]).toEqual([["Crane"], null, []]);
  const labels = await world.ask<{ name: string; color: string }[]>("GET", `/projects/${other.id}/labels`);
  expect(labels).toContainEqual(expect.objectContaining({ name: "Crane", color: "#FF8800" }));
  const changed = events.flatMap((event) => (event.type === "changed" ? [event.what] : []));
  expect(changed).toEqual(expect.arrayContaining(["New labels: Crane", "Milestone", "Notifications"]));
  await run(into(other, path ?? ""));
  expect((await issuesOf(other)).at(-1)?.title).toMatch(/^Merge request !/);
});

test("a file comes back on a branch of its own, and the default branch stays", async () => {
  const checked = await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  expect(checked.problems).toEqual([]);
  const [ref] = runGit(codeDirectory(world.simulator.world, source), ["symbolic-ref", "HEAD"])
    .trim()
    .split("\n");
  const [path = ""] = runGit(codeDirectory(world.simulator.world, source), [
    "ls-tree",
    "-r",
    "--name-only",
    "HEAD",
  ]).split("\n");
  const was = runGit(codeDirectory(world.simulator.world, source), ["show", `HEAD:${path}`]);
  await addFiles(codeDirectory(world.simulator.world, source), { files: [], deleted: [path] });
  const tip = runGit(codeDirectory(world.simulator.world, source), ["rev-parse", "HEAD"]);
  const order = into(source, partPathOf({ type: "file", tree: "git", ref: ref ?? "", path }));
  const plan = await connector.planRestore({ accountName: world.accountName }, snapshot, order);
  const { item, events } = await run(order);
  expect(promisedBy(plan)).toEqual(createdBy(events));
  expect(item.webUrl).toContain(`/-/tree/${item.name}`);
  expect(runGit(codeDirectory(world.simulator.world, source), ["show", `${item.name}:${path}`])).toBe(was);
  expect(runGit(codeDirectory(world.simulator.world, source), ["rev-parse", "HEAD", `${item.name}^`])).toBe(
    `${tip}${tip}`,
  );
});

test("a restore that loses the response to any call adds one issue with each comment once, also beside others", async () => {
  const order = into(source, pathOf(TITLE));
  const counting = session();
  await run(order, counting);
  const wanted = comparable((await issuesOf(source)).at(-1)!);
  await sweep(async () => {
    for (const lost of samplePoints(counting.requests.length, LOST)) {
      const before = (await issuesOf(source)).length;
      const journal = memoryJournal();
      await run(order, dyingAt(lost), journal).catch(() => undefined);
      await run(order, session(), journal);
      const made = (await issuesOf(source)).slice(before);
      expect(made.map(comparable), `lost the response to call ${lost}`).toEqual([wanted]);
    }
  });
}, 120_000);

test("a project that is archived, deleted or without issues is refused before anything is written", async () => {
  const refusalIn = async (project: Project) => {
    const error = await run(into(project, pathOf(TITLE))).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ConnectorError);
    expect((error as ConnectorError).kind).toBe("unsupported");
    return (error as ConnectorError).message;
  };
  expect(await refusalIn(await world.makeProject("closed", { isArchived: true }))).toMatch(/archived/);
  expect(await refusalIn(await world.makeProject("quiet", { issuesAccess: "disabled" }))).toMatch(
    /switched off/,
  );
  const gone = await world.makeProject("gone");
  await world.deleteItem(world.reference(gone));
  expect(await refusalIn(gone)).toMatch(/no longer at GitLab/);
});

/** A session whose n-th response is lost after GitLab has handled the call. */
function dyingAt(point: number): TestSession {
  let sent = 0;
  return session({
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (++sent < point) return answer;
      await answer.body?.cancel();
      throw new TypeError("The worker died.");
    },
  });
}
