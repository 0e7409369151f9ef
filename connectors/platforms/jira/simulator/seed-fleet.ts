import { paintPicture } from "#connectors/toolkit/simulator/paint-picture.ts";
import { textDocument } from "./adf.ts";
import { addWorklog, attachFile } from "./issue-parts.ts";
import { linkIssues } from "./issues.ts";
import { createComponent, createVersion } from "./projects.ts";
import { type SeedFields, seedFields } from "./seed-fields.ts";
import { EPICS, SPRINTS, type StoryScript } from "./seed-fleet-script.ts";
import { seedMaker } from "./seed-maker.ts";
import { ADMINISTRATORS, MEMBERS } from "./sites.ts";
import { createSprint, moveToSprint } from "./sprints.ts";
import type { Issue, JiraWorld, Person, Project, Site, Sprint } from "./state.ts";
import { typesOf, workflowOf } from "./store.ts";

const DAY_MS = 86_400_000;

/** What the steps of the story share. */
type Fleet = {
  world: JiraWorld;
  site: Site;
  project: Project;
  crew: readonly [Person, Person, Person];
  maker: ReturnType<typeof seedMaker>;
  field: SeedFields;
  sprints: Map<string, Sprint>;
};

/** Fills the scrum project that the demo shows first: a haulier's quarter in sprints. */
export function fillFleetProject(
  world: JiraWorld,
  site: Site,
  project: Project,
  crew: readonly [Person, Person, Person],
): void {
  const now = Date.now();
  const startAt = now - 75 * DAY_MS;
  const [nora, ivo, asa] = crew;
  project.roleActors[MEMBERS] = [nora, ivo, asa].map(({ accountId }) => ({ kind: "user", accountId }));
  for (const name of ["Routing", "Customs", "Depots", "Invoices"])
    createComponent(world, site, project, { name });
  createVersion(world, site, project, {
    name: "Autumn timetable",
    isReleased: true,
    releaseDate: "2026-10-01",
  });
  createVersion(world, site, project, { name: "Winter timetable", startDate: "2026-11-01" });
  directWorkflow(site, project);
  const board = site.boards.find(({ projectId }) => projectId === project.id)!;
  const sprints = new Map(
    SPRINTS.map(({ name, goal, startDay, days }) => {
      const begin = now + startDay * DAY_MS;
      const end = begin + days * DAY_MS;
      return [
        name,
        createSprint(world, site, { board, name, goal, startAt: begin, endAt: end, at: begin - DAY_MS }),
      ];
    }),
  );
  const fleet: Fleet = {
    ...{ world, site, project, crew, sprints },
    maker: seedMaker(world, site, project, startAt),
    field: seedFields(world, site, startAt),
  };
  const byName = new Map<string, Issue>();
  for (const { summary, text, component, stories } of EPICS) {
    const epic = fleet.maker.issue(nora, {
      type: "Epic",
      summary,
      text,
      fields: { components: [{ name: component }] },
    });
    for (const story of stories) byName.set(story.summary, addStory(fleet, epic, component, story));
  }
  linkStories(fleet, byName);
  for (const { name, state } of SPRINTS) {
    const sprint = sprints.get(name)!;
    sprint.state = state;
    if (state === "closed") sprint.completedAt = sprint.endAt;
  }
  world.save();
}

/** Work goes forward step by step; only administrators approve it, and give it a resolution. */
function directWorkflow(site: Site, project: Project): void {
  const workflow = workflowOf(site, project, typesOf(site, project)[0]!.id);
  const [todo, doing, review, done] = workflow.statusIds as [string, string, string, string];
  workflow.transitions = [
    { id: "1", name: "Create", kind: "INITIAL", from: [], to: todo },
    { id: "11", name: "Start work", kind: "DIRECTED", from: [todo], to: doing },
    { id: "21", name: "Ask for review", kind: "DIRECTED", from: [doing], to: review },
    {
      id: "31",
      name: "Approve",
      kind: "DIRECTED",
      from: [review],
      to: done,
      condition: { kind: "role", roleId: ADMINISTRATORS },
      screen: ["resolution"],
      required: ["resolution"],
    },
    { id: "41", name: "Reopen", kind: "DIRECTED", from: [done], to: doing, setsResolution: "" },
    { id: "51", name: "Put back", kind: "GLOBAL", from: [], to: todo, setsResolution: "" },
  ];
}

function addStory(fleet: Fleet, epic: Issue, component: string, script: StoryScript): Issue {
  const { world, site, crew, maker, field, sprints } = fleet;
  const [nora] = crew;
  const points = site.fields.find(({ typeKey }) => typeKey?.endsWith("jsw-story-points"));
  const person = (index: number | undefined) => (index === undefined ? null : crew[index as 0 | 1 | 2]);
  const assignee = person(script.by);
  const issue = maker.issue(nora, {
    type: script.type ?? "Story",
    summary: script.summary,
    ...(script.text === undefined ? {} : { text: script.text }),
    fields: {
      parent: { id: epic.id },
      components: [{ name: component }],
      labels: script.labels ?? [],
      ...(assignee ? { assignee: { accountId: assignee.accountId } } : {}),
      ...(script.points === undefined || !points ? {} : { [points.id]: script.points }),
      ...(script.tonnes === undefined ? {} : { [field.tonnes.id]: script.tonnes }),
      ...(script.depot === undefined ? {} : { [field.depot.id]: { value: script.depot } }),
      ...(script.priority === undefined ? {} : { priority: { name: script.priority } }),
      ...(script.version === undefined ? {} : { fixVersions: [{ name: script.version }] }),
    },
  });
  for (const name of script.sprints ?? []) {
    const sprint = sprints.get(name);
    if (sprint) moveToSprint(world, site, nora.accountId, { issues: [issue], sprint, at: maker.next(1) });
    // The next one is added to a closed one, not put in its place.
    if (sprint) sprint.state = SPRINTS.find((known) => known.name === name)?.state ?? "future";
  }
  for (const [index, text] of script.comments ?? []) maker.comment(person(index) ?? nora, issue, text);
  for (const [index, hours, text] of script.work ?? []) {
    const at = maker.next();
    const { accountId } = person(index) ?? nora;
    addWorklog(world, site, accountId, {
      issue,
      seconds: hours * 3_600,
      startedAt: at,
      comment: textDocument(text),
      at,
    });
  }
  if (script.file) {
    const { name, text } = script.file;
    const bytes = Buffer.from(text);
    attachFile(world, site, nora.accountId, {
      issue,
      fileName: name,
      mimeType: "text/plain",
      bytes,
      at: maker.next(),
    });
  }
  if (script.picture) {
    const bytes = paintPicture({ sky: [214, 132, 104], land: [58, 74, 92] });
    const at = maker.next();
    attachFile(world, site, nora.accountId, {
      issue,
      fileName: script.picture,
      mimeType: "image/png",
      bytes,
      at,
    });
  }
  for (const [summary, isDone] of script.steps ?? []) {
    const step = maker.issue(nora, { type: "Sub-task", summary, fields: { parent: { id: issue.id } } });
    if (isDone) maker.moveTo(nora, step, "Done");
  }
  if (script.status) maker.moveTo(assignee ?? nora, issue, script.status);
  for (const index of script.watchers ?? []) issue.watcherIds.push(person(index)!.accountId);
  return issue;
}

function linkStories({ world, site, crew: [nora], maker }: Fleet, byName: Map<string, Issue>): void {
  for (const { stories } of EPICS) {
    for (const { summary, blocks } of stories) {
      const [from, to] = [byName.get(summary), byName.get(blocks ?? "")];
      const typeId = site.linkTypes.find(({ name }) => name === "Blocks")!.id;
      if (from && to) linkIssues(world, site, nora.accountId, { typeId, from, to, at: maker.next(1) });
    }
  }
}
