import { paintPicture } from "#connectors/toolkit/simulator/paint-picture.ts";
import { textDocument } from "./adf.ts";
import { mediaIdOf } from "./files.ts";
import { nextId } from "./ids.ts";
import { addComment, addWorklog, attachFile, setRemoteLink } from "./issue-parts.ts";
import { linkIssues } from "./issues.ts";
import { createComponent, createVersion } from "./projects.ts";
import { seedFields } from "./seed-fields.ts";
import { seedMaker } from "./seed-maker.ts";
import { MEMBERS } from "./sites.ts";
import type { Adf, Attachment, JiraWorld, Person, Project, Site } from "./state.ts";
import { typesOf } from "./store.ts";

/** Fills a project with one of everything, with odd names. */
export function fillProject(
  world: JiraWorld,
  site: Site,
  project: Project,
  { by, crew, startAt }: { by: Person; crew: readonly Person[]; startAt: number },
): void {
  const [second = by] = crew;
  const maker = seedMaker(world, site, project, startAt);
  const field = seedFields(world, site, startAt);
  createComponent(world, site, project, { name: "Ramp / <gate> “3”", description: "Where lorries turn." });
  createVersion(world, site, project, { name: "2026.1", isReleased: true, releaseDate: "2026-03-31" });
  createVersion(world, site, project, { name: "2026.2 📦", startDate: "2026-04-01" });
  const standard = typesOf(site, project).find(({ level }) => level === 0)!.name;
  const subtask = typesOf(site, project).find(({ level }) => level === -1)?.name;
  const isClassic = project.style === "classic";
  const rich = maker.issue(by, {
    type: standard,
    summary: "Ångström <b>“customs”</b> · 通関 📦 ../x",
    fields: {
      labels: ["urgent", "överlast"],
      duedate: "2026-11-24",
      priority: { name: "High" },
      assignee: { accountId: second.accountId },
      components: [{ name: "Ramp / <gate> “3”" }],
      fixVersions: [{ name: "2026.2 📦" }],
      versions: [{ name: "2026.1" }],
      timetracking: { originalEstimate: "1d 2h", remainingEstimate: "4h" },
      [field.seal.id]: "SE-4471 “blue”",
      [field.handover.id]: textDocument("Keys are in the cab.\nRing twice, gently."),
      [field.tonnes.id]: 24.75,
      [field.pickup.id]: "2026-11-20",
      [field.loaded.id]: "2026-11-20T05:40:00.000+0100",
      [field.depot.id]: { value: "Göteborg" },
      [field.risk.id]: { value: "High" },
      [field.papers.id]: [{ value: "CMR" }, { value: "T1" }],
      [field.hazards.id]: [{ value: "Cold chain" }],
      [field.route.id]: { value: "Baltic", child: { value: "Göteborg–Kiel" } },
      [field.driver.id]: { accountId: second.accountId },
      [field.crew.id]: [by, second].map(({ accountId }) => ({ accountId })),
      [field.team.id]: { name: site.groups[0]!.name },
      [field.teams.id]: site.groups.map(({ name }) => ({ name })),
      [field.tags.id]: ["timber", "wet"],
      [field.timetable.id]: "https://ferries.example/timetable",
      [field.twin.id]: { key: project.key },
      [field.since.id]: { name: "2026.1" },
      [field.seen.id]: [{ name: "2026.1" }, { name: "2026.2 📦" }],
    },
  });
  const attach = (fileName: string, mimeType: string, bytes: Uint8Array) =>
    attachFile(world, site, by.accountId, { issue: rich, fileName, mimeType, bytes, at: maker.next(1) });
  const picture = attach(
    "Ångström (1) 100% #1.png",
    "image/png",
    paintPicture({ sky: [134, 186, 222], land: [40, 104, 138] }),
  );
  for (const text of ["first", "second"]) {
    attach("scan?.bin", "application/octet-stream", Buffer.from(`${text} scan`));
  }
  attach("empty.txt", "text/plain", new Uint8Array());
  const plain = maker.issue(second, { type: standard, summary: "Plain" });
  maker.edit(by, rich, { description: richDocument(site, picture, second) });
  maker.edit(by, rich, { summary: `${String(rich.values.summary)} (changed)`, priority: { name: "Low" } });
  maker.moveTo(by, rich, lastStatus(site, project));
  maker.comment(second, rich, "The customs office closes at four.\nOn Fridays at three.");
  const at = maker.next();
  const role = { type: "role" as const, identifier: MEMBERS };
  project.roleActors[MEMBERS] = [by, second].map(({ accountId }) => ({ kind: "user", accountId }));
  addComment(world, site, by.accountId, {
    issue: rich,
    body: textDocument("Only for members."),
    visibility: role,
    at,
  });
  addWorklog(world, site, by.accountId, {
    issue: rich,
    seconds: 5_400,
    startedAt: at - 7_200_000,
    comment: textDocument("Loaded and sealed."),
    at: maker.next(),
  });
  setRemoteLink(world, site, {
    issue: rich,
    globalId: "ferries=4471",
    application: { type: "com.example.ferries", name: "Ferries" },
    relationship: "booked with",
    object: { url: "https://ferries.example/booking/4471", title: "Booking 4471", summary: "21:30" },
  });
  rich.properties["meridian.weighbridge"] = { gross: 38.4, axles: [7.1, 9.8] };
  rich.watcherIds.push(second.accountId);
  rich.voterIds.push(second.accountId);
  linkIssues(world, site, by.accountId, {
    typeId: site.linkTypes[0]!.id,
    from: rich,
    to: plain,
    at: maker.next(),
  });
  if (subtask !== undefined) {
    maker.issue(by, { type: subtask, summary: "Weigh the axles", fields: { parent: { id: rich.id } } });
  }
  if (isClassic)
    restrict(world, site, project, by, maker.issue(by, { type: standard, summary: "Only for Nora" }).id);
  world.save();
}

/** Gives the project a security level that one person has, and an issue with it. */
function restrict(world: JiraWorld, site: Site, project: Project, by: Person, issueId: string): void {
  const level = {
    id: nextId(site, "securitylevel"),
    name: "Management",
    description: "",
    members: [{ kind: "user" as const, accountId: by.accountId }],
  };
  const id = nextId(site, "securityscheme");
  const name = `${project.key}: Issue Security Scheme`;
  site.schemes.push({ id, kind: "security", name, description: "", levels: [level], defaultLevelId: null });
  project.schemeIds.security = id;
  const issue = site.issues.find((known) => known.id === issueId);
  if (issue) issue.values.security = level.id;
  world.save();
}

function lastStatus(site: Site, project: Project): string {
  const id = site.workflows
    .find((workflow) =>
      site.schemes.some(
        (scheme) => scheme.id === project.schemeIds.workflow && scheme.workflowIds?.default === workflow.id,
      ),
    )
    ?.statusIds.at(-1);
  return site.statuses.find((status) => status.id === id)?.name ?? "";
}

/** A document with the kinds of nodes that people use, and a picture of the issue. */
function richDocument(site: Site, picture: Attachment, person: Person): Adf {
  const text = (value: string, ...marks: object[]) => ({
    type: "text",
    text: value,
    ...(marks.length ? { marks } : {}),
  });
  const paragraph = (...content: object[]) => ({ type: "paragraph", content });
  const cell = (type: string, value: string) => ({ type, attrs: {}, content: [paragraph(text(value))] });
  const item = (value: string) => ({ type: "listItem", content: [paragraph(text(value))] });
  return {
    type: "doc",
    version: 1,
    content: [
      { type: "heading", attrs: { level: 2 }, content: [text("Crossing")] },
      paragraph(
        text("Ask "),
        { type: "mention", attrs: { id: person.accountId, text: `@${person.displayName}`, accessLevel: "" } },
        text(" before "),
        { type: "date", attrs: { timestamp: "1795392000000" } },
        text(", "),
        text("gently", { type: "strong" }, { type: "em" }),
        { type: "hardBreak" },
        text("timetable", { type: "link", attrs: { href: "https://ferries.example/timetable" } }),
        { type: "emoji", attrs: { shortName: ":ferry:", id: "26f4", text: "⛴" } },
        { type: "status", attrs: { text: "HELD", color: "red", localId: "1", style: "" } },
      ),
      { type: "bulletList", content: [item("CMR"), item("T1")] },
      { type: "orderedList", attrs: { order: 1 }, content: [item("Weigh"), item("Seal")] },
      {
        type: "taskList",
        attrs: { localId: "tasks" },
        content: [
          { type: "taskItem", attrs: { localId: "t1", state: "DONE" }, content: [text("Heights measured")] },
          { type: "taskItem", attrs: { localId: "t2", state: "TODO" }, content: [text("Cabins reserved")] },
        ],
      },
      { type: "panel", attrs: { panelType: "warning" }, content: [paragraph(text("Refrigerated."))] },
      {
        type: "codeBlock",
        attrs: { language: "text" },
        content: [text("19:00  3 lorries\n21:30  6 lorries")],
      },
      { type: "blockquote", content: [paragraph(text("Then 21:30."))] },
      { type: "rule" },
      {
        type: "table",
        attrs: { isNumberColumnEnabled: false, layout: "default" },
        content: [
          { type: "tableRow", content: [cell("tableHeader", "Lorry"), cell("tableHeader", "Tonnes")] },
          { type: "tableRow", content: [cell("tableCell", "4"), cell("tableCell", "24.75")] },
        ],
      },
      {
        type: "mediaSingle",
        attrs: { layout: "center" },
        content: [
          {
            type: "media",
            attrs: {
              type: "file",
              id: mediaIdOf(picture, site.cloudId),
              collection: "",
              width: 320,
              height: 160,
            },
          },
        ],
      },
    ],
  };
}
