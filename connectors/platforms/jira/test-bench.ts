import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type {
  PlatformItem,
  RestoredItem,
  RestoreEvent,
  RestoreOrder,
} from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { backUp } from "./backup/back-up.ts";
import { inventory } from "./inventory.ts";
import { restore } from "./restore/restore.ts";
import { dumpProject } from "./simulator/dump.ts";
import { mediaIdOf } from "./simulator/files.ts";
import { jiraVars } from "./simulator/index.ts";
import { addComment, addWorklog, attachFile, setRemoteLink } from "./simulator/issue-parts.ts";
import { createIssue, editIssue, linkIssues, transitionIssue, transitionsFrom } from "./simulator/issues.ts";
import { type JiraSimulator, startJiraSimulator } from "./simulator/jira-simulator.ts";
import { createComponent, createProject, createVersion, typeNamed } from "./simulator/projects.ts";
import { SCOPES } from "./simulator/scopes.ts";
import { createField } from "./simulator/sites.ts";
import { createSprint, moveToSprint } from "./simulator/sprints.ts";
import type { Adf, Issue, JiraSettings, Project, Site } from "./simulator/state.ts";
import { findPerson, keyOf } from "./simulator/store.ts";
import type { TemplateName } from "./simulator/templates.ts";
import { issueToken } from "./simulator/tokens.ts";

const BEGINNING = Date.parse("2026-03-02T10:22:00.000Z");

/** A simulated site with helpers for tests of restores. People are named by the first part of their e-mail. */
export type RestoreBench = {
  simulator: JiraSimulator;
  site: Site;
  siteUrl: string;
  session(more?: Partial<Parameters<typeof testSession>[0]>): TestSession;
  personId(name: string): string;
  makeProject(key: string, template?: TemplateName): Project;
  makeIssue(
    project: Project,
    summary: string,
    more?: { type?: string; values?: Record<string, unknown> },
  ): Issue;
  itemOf(project: Project): Promise<PlatformItem>;
  backUp(project: Project): Promise<MemorySnapshot>;
  restoreInto(
    snapshot: MemorySnapshot,
    target: Project | string,
    more?: {
      journal?: ReturnType<typeof memoryJournal>;
      by?: TestSession;
      answers?: RestoreAnswers;
      part?: string | null;
    },
  ): Promise<{ item: RestoredItem; events: RestoreEvent[] }>;
  orderOf(target: Project | string, answers?: RestoreAnswers, part?: string | null): RestoreOrder;
  issuesIn(project: Project): Issue[];
  dump(project: Project): ReturnType<typeof dumpProject>;
  stop(): Promise<void>;
};

/** Starts a simulated Jira, and signs Nora in, who administers the site. */
export async function openRestoreBench(settings: Partial<JiraSettings> = {}): Promise<RestoreBench> {
  const directory = mkdtempSync(path.join(tmpdir(), "jira-restore-"));
  const calm = {
    burstRead: 1e6,
    burstWrite: 1e6,
    issueWritesShort: 1e6,
    issueWritesLong: 1e6,
    globalPoints: 1e9,
  };
  const simulator = await startJiraSimulator({
    directory,
    seed: "people",
    settings: { ...calm, ...settings },
  });
  const { world } = simulator;
  const site = world.state.sites[0]!;
  const personId = (name: string) => findPerson(world, `${name}@meridian.example`)!.accountId;
  const nora = personId("nora");
  const { value: token } = issueToken(world, {
    accountId: nora,
    cloudIds: [site.cloudId],
    scopes: Object.keys(SCOPES),
  });
  const siteUrl = `${simulator.url}/sites/${site.slug}`;
  const connectionDetails = {
    cloudId: site.cloudId,
    siteUrl,
    accountId: nora,
    fullName: "Nora Lindqvist",
    timeZone: "Europe/Stockholm",
  };
  const session: RestoreBench["session"] = (more = {}) =>
    testSession({ config: jiraVars(simulator), token, accountName: site.name, connectionDetails, ...more });
  const itemOf: RestoreBench["itemOf"] = (project) =>
    inventory.getItem(session(), { kind: "project", externalId: project.id, fullName: project.key });
  const orderOf: RestoreBench["orderOf"] = (target, answers = {}, part = null) => ({
    target:
      typeof target === "string"
        ? { kind: "new", name: target, place: null }
        : {
            kind: "existing",
            item: { externalId: target.id, name: target.name, fullName: `${target.key} · ${target.name}` },
          },
    part,
    answers,
  });
  let made = 0;
  return {
    ...{ simulator, site, siteUrl, session, personId, itemOf, orderOf },
    makeProject: (key, template = "scrum") =>
      createProject(world, site, { key, name: `Project ${key}`, leadId: nora, template }),
    makeIssue(project, summary, { type, values = {} } = {}) {
      made += 1;
      const typeId = typeNamed(site, project, type).id;
      const at = BEGINNING + made * 60_000;
      return createIssue(world, site, nora, {
        projectId: project.id,
        typeId,
        values: { summary, ...values },
        at,
      });
    },
    async backUp(project) {
      const item = await itemOf(project);
      return await takeSnapshot(backUp(session(), { item, previous: null, cursor: null }));
    },
    async restoreInto(snapshot, target, { journal = memoryJournal(), by = session(), answers, part } = {}) {
      return await runRestore(restore(by, snapshot, orderOf(target, answers, part), journal));
    },
    issuesIn: (project) => site.issues.filter(({ projectId }) => projectId === project.id),
    dump: (project) => dumpProject(world, site, project),
    async stop() {
      await simulator.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const text = (...content: unknown[]): Adf => ({
  type: "doc",
  version: 1,
  content: [{ type: "paragraph", content }],
});
const words = (value: string) => ({ type: "text", text: value });

/** A project with something of everything that a restore brings, and of what it cannot bring. */
export function fillProject(bench: RestoreBench, project: Project, outside: Project): void {
  const { site, personId, makeIssue } = bench;
  const { world } = bench.simulator;
  const nora = personId("nora");
  const ivo = personId("ivo");
  const move = (issue: Issue, name: string) => {
    const transition = transitionsFrom(site, issue).find(
      ({ to }) => site.statuses.find(({ id }) => id === to)?.name === name,
    )!;
    transitionIssue(world, site, nora, { issue, transition });
  };
  const api = createComponent(world, site, project, { name: "API", description: "The interface" });
  const first = createVersion(world, site, project, {
    name: "1.0",
    isReleased: true,
    releaseDate: "2026-04-01",
  });
  const severity = createField(world, site, { name: "Severity", type: "select", options: ["High", "Low"] });
  const notes = createField(world, site, { name: "Notes", type: "textarea" });
  const epic = makeIssue(project, "Move the depot", { type: "Epic" });
  const story = makeIssue(project, "Plan the route", {
    type: "Story",
    values: {
      parent: epic.id,
      priority: "2",
      labels: ["route", "winter"],
      components: [api.id],
      fixVersions: [first.id],
      duedate: "2026-05-01",
      assignee: ivo,
      reporter: ivo,
      [severity.id]: severity.options[0]!.id,
    },
  });
  const subtask = makeIssue(project, "Measure the bridge", {
    type: "Sub-task",
    values: { parent: story.id },
  });
  const bug = makeIssue(project, "Wrong gate", { type: "Bug" });
  const plain = makeIssue(project, "Clean the yard", { type: "Task" });
  const file = attachFile(world, site, ivo, {
    issue: story,
    fileName: "route.png",
    mimeType: "image/png",
    bytes: Buffer.from("picture"),
  });
  attachFile(world, site, ivo, {
    issue: story,
    fileName: "route.png",
    mimeType: "image/png",
    bytes: Buffer.from("another"),
  });
  const picture = {
    type: "media",
    attrs: { type: "file", id: mediaIdOf(file, site.cloudId), collection: "", alt: "route.png" },
  };
  const mention = { type: "mention", attrs: { id: ivo, text: "@Ivo Petrov" } };
  const description: Adf = {
    type: "doc",
    version: 1,
    content: [
      ...text(
        words(`Blocked by ${keyOf(site, plain)}, see `),
        { type: "inlineCard", attrs: { url: `${bench.siteUrl}/browse/${keyOf(site, bug)}` } },
        words(" "),
        mention,
      ).content,
      { type: "mediaSingle", attrs: { layout: "center" }, content: [picture] },
    ],
  };
  editIssue(world, site, nora, {
    issue: story,
    values: { description, [notes.id]: text(words(`As in ${keyOf(site, epic)}.`)) },
  });
  addComment(world, site, ivo, { issue: story, body: text(words(`Same as ${keyOf(site, bug)} `), mention) });
  addComment(world, site, nora, {
    issue: story,
    body: text(words("Only for us")),
    visibility: { type: "role", identifier: "10002" },
  });
  addComment(world, site, nora, { issue: bug, body: text(words("Twice")), at: BEGINNING });
  addComment(world, site, nora, { issue: bug, body: text(words("Twice")), at: BEGINNING });
  addWorklog(world, site, ivo, {
    issue: story,
    seconds: 5_400,
    startedAt: BEGINNING,
    comment: text(words("Driving")),
  });
  addWorklog(world, site, ivo, { issue: bug, seconds: 600, startedAt: BEGINNING + 1_000 });
  setRemoteLink(world, site, {
    issue: bug,
    globalId: null,
    relationship: "wiki",
    application: {},
    object: { url: "https://wiki.example/gate", title: "Gates" },
  });
  const other = makeIssue(outside, "Elsewhere");
  const [blocks, relates] = ["Blocks", "Relates"].map(
    (name) => site.linkTypes.find((type) => type.name === name)!.id,
  );
  linkIssues(world, site, nora, { typeId: blocks!, from: plain, to: story });
  linkIssues(world, site, nora, { typeId: relates!, from: bug, to: other });
  move(story, "In Review");
  move(bug, "Done");
  move(subtask, "In Progress");
  const board = site.boards.find(({ projectId }) => projectId === project.id)!;
  const past = createSprint(world, site, { board, name: "Sprint 1" });
  const next = createSprint(world, site, { board, name: "Sprint 2", goal: "Arrive" });
  moveToSprint(world, site, nora, { issues: [bug], sprint: past });
  moveToSprint(world, site, nora, { issues: [story], sprint: next });
  past.state = "closed";
  next.state = "active";
}
