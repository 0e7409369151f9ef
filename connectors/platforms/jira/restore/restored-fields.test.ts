import { afterAll, beforeAll, expect, test } from "vitest";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  expectRestored,
  type Fields,
  type OtherWay,
  type Pair,
  pairUp,
  recordsOf,
} from "#tests/conformance/coverage/expect-restored.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { coverage } from "../coverage.ts";
import { recordPaths } from "../record-paths.ts";
import { textDocument } from "../simulator/adf.ts";
import { addComment, addWorklog, attachFile } from "../simulator/issue-parts.ts";
import { editIssue } from "../simulator/issues.ts";
import { createComponent, createVersion } from "../simulator/projects.ts";
import { fillProject } from "../simulator/seed-full.ts";
import { createSprint, moveToSprint } from "../simulator/sprints.ts";
import type { Project } from "../simulator/state.ts";
import { findPerson } from "../simulator/store.ts";
import { openRestoreBench, type RestoreBench } from "../test-bench.ts";
import { textOf } from "./adf-nodes.ts";

const AT = Date.parse("2026-03-02T10:22:00.000Z");
const EVERYTHING = { comments: true, worklogs: true, watchers: true, restricted: true };

let bench: RestoreBench;
beforeAll(async () => {
  bench = await openRestoreBench();
});
afterAll(() => bench.stop());

/** A software project in which every field that a restore brings back has a value. */
function makeEverything(): Project {
  const { world } = bench.simulator;
  const { site } = bench;
  const [by, ivo] = ["nora", "ivo"].map((name) => findPerson(world, `${name}@meridian.example`)!);
  const project = bench.makeProject("DEP");
  project.description = "Cranes and gates";
  fillProject(world, site, project, { by: by!, crew: [ivo!], startAt: AT });
  createComponent(world, site, project, { name: "Gate", description: "What opens" });
  createVersion(world, site, project, {
    ...{ name: "2025.9", description: "Old", isArchived: true, isReleased: true },
    ...{ startDate: "2025-09-01", releaseDate: "2025-09-30" },
  });
  const issues = bench.issuesIn(project);
  const epic = bench.makeIssue(project, "Move the depot", { type: "Epic" });
  const rich = issues.find(({ voterIds }) => voterIds.length > 0)!;
  editIssue(world, site, by!.accountId, {
    issue: rich,
    values: {
      parent: epic.id,
      environment: textDocument("Wind, rain"),
      resolution: "10001",
      reporter: ivo!.accountId,
    },
  });
  addWorklog(world, site, ivo!.accountId, {
    ...{ issue: rich, seconds: 600, startedAt: AT, comment: textDocument("Only for the crew") },
    visibility: { type: "group", identifier: site.groups[0]!.id },
  });
  const board = site.boards.find(({ projectId }) => projectId === project.id)!;
  const sprint = createSprint(world, site, {
    ...{ board, name: "Sprint 1", goal: "Arrive", startAt: AT, endAt: AT + 86_400_000 },
  });
  moveToSprint(world, site, by!.accountId, { issues: [rich], sprint });
  return project;
}

/** A service project with an answer to the customer and a note that the customer must not see. */
function makeDesk(): Project {
  const { world } = bench.simulator;
  const project = bench.makeProject("DSK", "service");
  const issue = bench.makeIssue(project, "The gate sticks", { type: "Incident" });
  for (const [text, isPublic] of [
    ["Try again", true],
    ["He never oils it", false],
  ] as const)
    addComment(world, bench.site, bench.personId("ivo"), {
      issue,
      body: textDocument(text),
      isPublic,
      at: AT,
    });
  attachFile(world, bench.site, bench.personId("ivo"), {
    ...{ issue, fileName: "gate.txt", mimeType: "text/plain", bytes: Buffer.from("squeak") },
  });
  return project;
}

type Versions = { before: MemorySnapshot; after: MemorySnapshot };

async function restored(project: Project, name: string): Promise<Versions> {
  const before = await bench.backUp(project);
  expect(before.skipped).toEqual([]);
  const { item } = await bench.restoreInto(before, name, { answers: EVERYTHING });
  return { before, after: await bench.backUp(bench.site.projects.find(({ id }) => id === item.externalId)!) };
}

const nested = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;
const listOf = (value: Json | undefined) => (value ?? []) as Fields[];
const words = (value: Json | undefined) => textOf((value ?? null) as never);

/** The issues of a version, with their texts and work, as one record of fields each. */
async function issuesOf(version: MemorySnapshot): Promise<Fields[]> {
  const issues = await recordsOf(version, "issue");
  const summaries = new Map(issues.map((one) => [one.key, nested(one.fields, "summary") ?? null]));
  const summaryOf = (value: Json | Fields | undefined) => summaries.get(nested(value as Json, "key")) ?? null;
  return await Promise.all(
    issues.map(async ({ id, fields }) => {
      const own = fields as Fields;
      const extras = recordPaths.issueExtras(String(id));
      const partsIn = async (list: string) => {
        const paths = [...version.entries.keys()].filter((path) =>
          path.startsWith(`${recordPaths.issueFolder(String(id))}${list}/`),
        );
        return await Promise.all(paths.map((path) => version.readRecord(path)));
      };
      const links = listOf(own.issuelinks).map(({ id: _, type, inwardIssue, outwardIssue }) => ({
        ...(type !== undefined && { type }),
        ...(inwardIssue !== undefined && { inwardIssue: summaryOf(inwardIssue) }),
        ...(outwardIssue !== undefined && { outwardIssue: summaryOf(outwardIssue) }),
      }));
      return {
        ...own,
        ...(own.parent !== undefined && { parent: summaryOf(own.parent) }),
        subtasks: listOf(own.subtasks).map((one) => summaryOf(one)),
        issuelinks: links,
        comment: await partsIn("comments"),
        worklog: await partsIn("worklogs"),
        extras: (await version.find(extras)) === null ? {} : await version.readRecord(extras),
      };
    }),
  );
}

/** Things of a project or a site by name: two projects have other ids. */
function plain(value: Json, field: string): unknown {
  if (field === "attachment" && Array.isArray(value)) return value.map((one) => nested(one, "filename"));
  if (["components", "versions", "fixVersions"].includes(field)) return listOf(value).map(({ name }) => name);
  return ["issuetype", "status"].includes(field) ? nested(value, "name") : value;
}

const moment = (value: Json | undefined) => momentText(String(value));
const name = (person: Json | undefined) => String(nested(person, "displayName"));
/** A field that a line above a text, or the text, names. */
const says = (text: string, because: string, phraseOf: (before: Fields) => string): OtherWay => ({
  because,
  holds: ({ before, after }) => words(after[text]).includes(phraseOf(before)),
});
/** Parts whose texts stand below a line each. */
const below = (text: string): OtherWay => ({
  because: "They stand below a line that names their origin.",
  holds: ({ before, after }) => {
    const field = text === "body" ? "comment" : "worklog";
    const texts = (one: Fields) => listOf(one[field]).map((part) => words(part[text]));
    return texts(before).every((one, index) => texts(after)[index]?.endsWith(one));
  },
});

const WATCHING: OtherWay = {
  because: "The restoring account watches what it makes, too.",
  holds: ({ before, after }) => {
    const ids = (one: Fields) =>
      listOf(nested(one.extras, "watchers") ?? one.watchers).map(({ accountId }) => accountId);
    return ids(before).every((id) => ids(after).includes(id));
  },
};

test("every field that is said to be restored comes back", async () => {
  const depot = await restored(makeEverything(), "Depot again");
  const desk = await restored(makeDesk(), "Desk again");
  const all = [depot, desk];
  /** The project with the names of what it has, which are records of their own. */
  const projects = all.map(async ({ before, after }): Promise<Pair> => {
    const whole = async (version: MemorySnapshot) => ({
      ...(await recordsOf(version, "project"))[0],
      components: (await recordsOf(version, "component")) as unknown as Json,
      versions: (await recordsOf(version, "version")) as unknown as Json,
    });
    return { before: await whole(before), after: await whole(after) };
  });
  const pairs = async (kind: string, isSame: (one: Fields, copy: Fields) => boolean) => {
    const each = all.map(async ({ before, after }) =>
      pairUp(await recordsOf(before, kind), await recordsOf(after, kind), isSame),
    );
    return (await Promise.all(each)).flat();
  };
  const same = (key: string) => (one: Fields, copy: Fields) => one[key] === copy[key];
  const holds = (text: string) => (one: Fields, copy: Fields) => words(copy[text]).endsWith(words(one[text]));
  const issues: Pair[] = [];
  for (const { before, after } of all)
    issues.push(...pairUp(await issuesOf(before), await issuesOf(after), same("summary")));
  const parts = (field: string, isSame: (one: Fields, copy: Fields) => boolean) =>
    issues.flatMap(({ before, after }) => pairUp(listOf(before[field]), listOf(after[field]), isSame));
  const extras = issues.map(
    ({ before, after }): Pair => ({ before: before.extras as Fields, after: after.extras as Fields }),
  );
  const webLinks = extras.flatMap(({ before, after }) =>
    pairUp(listOf(before.remoteLinks), listOf(after.remoteLinks), same("globalId")),
  );
  expectRestored(
    coverage,
    {
      Project: {
        pairs: await Promise.all(projects),
        plain,
        ways: {
          name: {
            because: "The restore makes a project of the chosen name.",
            holds: ({ after }) => ["Depot again", "Desk again"].includes(String(after.name)),
          },
        },
      },
      "Fields of issues": {
        pairs: issues,
        plain,
        ways: {
          description: says("description", "The text stands below a panel.", (one) => words(one.description)),
          creator: says("description", "Jira shows the restoring account.", (one) => name(one.creator)),
          created: says("description", "No call takes it.", (one) => moment(one.created)),
          updated: says("description", "No call takes it.", (one) => moment(one.updated)),
          resolution: says(
            "description",
            "A new workflow sets its own resolution.",
            (one) => `resolved as ${String(nested(one.resolution, "name"))}`,
          ),
          resolutiondate: says("description", "No call takes it.", (one) => moment(one.resolutiondate)),
          watches: WATCHING,
          comment: below("body"),
          worklog: below("comment"),
        },
      },
      Comments: {
        pairs: parts("comment", holds("body")),
        ways: {
          author: says("body", "Jira shows the restoring account.", ({ author }) => name(author)),
          body: says("body", "The text stands below a line.", ({ body }) => words(body)),
          created: says("body", "No call takes it.", ({ created }) => moment(created)),
          updated: says("body", "No call takes it.", ({ updated }) => moment(updated)),
        },
      },
      "Logged work": {
        pairs: parts("worklog", holds("comment")),
        ways: {
          author: says("comment", "Jira shows the restoring account.", ({ author }) => name(author)),
          comment: says("comment", "The text stands below a line.", ({ comment }) => words(comment)),
        },
      },
      "Attached files": { pairs: parts("attachment", same("filename")) },
      Links: { pairs: parts("issuelinks", () => true) },
      "Web links": { pairs: webLinks },
      Watchers: { pairs: extras, ways: { watchers: WATCHING } },
      Components: { pairs: await pairs("component", same("name")) },
      Versions: { pairs: await pairs("version", same("name")) },
      Sprints: { pairs: await pairs("sprint", same("name")) },
    },
    { Issues: "Its field `fields` is what the next thing tells." },
  );
  /** Values of the site's own fields, without ranks and without ids, which belong to a project. */
  const custom = (one: Fields) =>
    JSON.parse(
      JSON.stringify(
        Object.entries(one).filter(([id, value]) => /^customfield_/.test(id) && !/^\d\|/.test(String(value))),
        (key, value) => (key === "id" ? undefined : value),
      ),
    );
  for (const { before, after } of issues) expect(custom(after)).toEqual(custom(before));
});
