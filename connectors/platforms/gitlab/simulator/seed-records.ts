import { resolveCommit } from "./bare.ts";
import { addEvents, createIssue, makeNote } from "./issuables.ts";
import { createMergeRequest } from "./merge-request-refs.ts";
import { codeDirectory } from "./projects.ts";
import { commit } from "./rest/wikis.ts";
import type { Cast } from "./seed-people.ts";
import { type GitlabWorld, type Issue, nextId, type Project } from "./state.ts";

const LABELS: readonly [string, string, string | null][] = [
  ["bug", "#D9534F", "Something is broken"],
  ["customs::hold", "#F0AD4E", "Scoped, as the border likes it"],
  ["quay: wet & windy", "#5BC0DE", null],
  ["späte Lieferung 🚛", "#8E44AD", "Late again"],
  ["good first issue", "#5CB85C", null],
];

const ISSUES: readonly { title: string; description: string | null; labels: string[]; notes: string[] }[] = [
  {
    title: "Ferry at 03:10 is missing from the timetable",
    description:
      "Since the winter timetable the **03:10** is gone.\n\n- [x] Gothenburg\n- [ ] Kiel\n\n```ts\nconst gap = slots.find((slot) => !slot.ferry);\n```",
    labels: ["bug"],
    notes: [
      "Seen in Kiel too, @ivo.petrov can you look?",
      "Yes. The operator renamed the line: see #2.",
      "Fixed on `main`.",
    ],
  },
  {
    title: "Umlauts and <script>alert(1)</script> in port names",
    description:
      '`Malmö`, `Świnoujście`, `Ψαρά` & "quotes" must survive every export.\n\n| port | code |\n| --- | --- |\n| Malmö | SEMMA |',
    labels: ["bug", "späte Lieferung 🚛"],
    notes: ["What about right-to-left names? مرحبا", "Those too. \u{1F69A}\u{1F1F8}\u{1F1EA}"],
  },
  {
    title: "Hold at the border when the seal number changes",
    description: null,
    labels: ["customs::hold"],
    notes: ["Only for bonded goods.", "Then the rule belongs into the declaration, not into the seal."],
  },
  {
    title: "Write down who may move a slot",
    description: "The handbook says nothing.",
    labels: ["good first issue"],
    notes: [],
  },
  {
    title: "Wind stops the eastern crane and nobody is told",
    description: "Three times this week.\n\n![chart](/uploads/0123456789abcdef0123456789abcdef/wind.png)",
    labels: ["quay: wet & windy"],
    notes: ["The anemometer reports in knots, we read metres per second."],
  },
];

/** Issues, merge requests, labels, milestones, releases, boards, wiki pages and settings of a demo project. */
export async function seedRecords(world: GitlabWorld, cast: Cast, project: Project): Promise<void> {
  if (project.path === "empty-yard" || project.isArchived) return;
  const id = () => nextId(world.state);
  project.labels = LABELS.map(([name, color, description]) => ({
    id: id(),
    name,
    color,
    description,
    priority: null,
  }));
  project.milestones = [
    ["Winter timetable", "closed", "2026-10-31"],
    ["Night slots", "active", "2027-02-28"],
  ].map(([title = "", state, dueDate = null], index) => ({
    id: id(),
    iid: index + 1,
    title,
    description: "",
    state: state === "closed" ? ("closed" as const) : ("active" as const),
    dueDate,
    startDate: null,
    createdAt: "2026-08-03T08:00:00.000Z",
    updatedAt: "2026-10-31T17:00:00.000Z",
  }));
  seedIssues(world, cast, project);
  seedMergeRequests(world, cast, project);
  seedRelease(world, cast, project);
  const lists = project.labels
    .slice(0, 3)
    .map((label, position) => ({ id: id(), labelId: label.id, position }));
  project.boards = [{ id: id(), name: "Development", lists }];
  project.variables = ["DEPLOY_KEY", "REGION"].map((key) => ({
    key,
    value: key === "REGION" ? "eu-north-1" : "not-a-real-key-0123",
    type: "env_var" as const,
    isProtected: key !== "REGION",
    isMasked: key !== "REGION",
    isHidden: false,
    isRaw: false,
    scope: "*",
    description: null,
  }));
  project.hooks = [
    {
      id: id(),
      url: "https://chat.meridian.example/hooks/gitlab",
      name: "Chat",
      description: null,
      token: "a-secret-that-nobody-sees",
      events: { push_events: true, issues_events: true },
      branchFilter: null,
      verifiesSsl: true,
      createdAt: "2024-03-01T10:00:00.000Z",
    },
  ];
  const home = `# ${project.name}\n\nBegin with [[guides/Night shift]].\n`;
  const message = "Begin the wiki";
  const files = [
    { path: "home.md", content: home },
    { path: "guides/Night-shift.md", content: "# Night shift\n\nWho is awake, and why.\n" },
    { path: "Größe & Gewicht.md", content: "# Größe & Gewicht\n" },
  ];
  await commit(world, project, cast.nora, { message, files, deleted: [] });
  project.lastActivityAt = project.updatedAt = "2026-11-19T16:20:00.000Z";
}

function seedIssues(world: GitlabWorld, { nora, ivo, asa }: Cast, project: Project): void {
  const authors = [nora.id, ivo.id, asa.id];
  for (const [index, plan] of ISSUES.entries()) {
    const day = (offset: number) =>
      new Date(Date.UTC(2026, 8, 2 + index * 5 + offset, 9, 12, 30, 417)).toISOString();
    const isClosed = index === 0 || index === 2;
    const issue: Issue = createIssue(world, project, {
      title: plan.title,
      description: plan.description,
      labels: plan.labels,
      authorId: authors[index % 3] ?? nora.id,
      assigneeIds: index % 2 === 0 ? [ivo.id] : [],
      milestoneId: project.milestones[index % 2]?.id ?? null,
      createdAt: day(0),
      state: isClosed ? "closed" : "opened",
      closedAt: isClosed ? day(4) : null,
      closedById: isClosed ? ivo.id : null,
      isConfidential: index === 3,
      dueDate: index === 4 ? "2027-01-15" : null,
    });
    for (const [number, body] of plan.notes.entries()) {
      const authorId = authors[(index + number + 1) % 3] ?? ivo.id;
      const answered = number === 1 ? issue.notes[0] : undefined;
      const type = number < 2 && plan.notes.length > 1 ? ("DiscussionNote" as const) : null;
      const createdAt = day(number + 1);
      const discussion = answered ? { discussionId: answered.discussionId } : {};
      issue.notes.push(makeNote(world, { body, authorId, createdAt, type, ...discussion }));
    }
    if (isClosed) {
      const body = "assigned to @ivo.petrov";
      issue.notes.push(makeNote(world, { body, authorId: nora.id, createdAt: day(2), isSystem: true }));
    }
    addEvents(world, issue, { userId: ivo.id, createdAt: day(4) });
    const award = { createdAt: day(2), updatedAt: day(2) };
    issue.awards.push({ id: nextId(world.state), name: "thumbsup", userId: asa.id, ...award });
    issue.updatedAt = day(5);
  }
}

function seedMergeRequests(world: GitlabWorld, { nora, ivo, asa }: Cast, project: Project): void {
  const directory = codeDirectory(world, project);
  for (const [index, sourceBranch] of ["feature/night-slots", "fix-umlauts-ü"].entries()) {
    if (resolveCommit(directory, sourceBranch) === null) continue;
    const createdAt = `2026-10-0${index + 3}T10:00:00.000Z`;
    const request = createMergeRequest(world, project, {
      title: index === 0 ? "Draft: Book slots at night" : "Keep umlauts in port names",
      description: "Closes #2\n\n- tested in Kiel\n- not tested in Varna",
      authorId: index === 0 ? asa.id : ivo.id,
      sourceBranch,
      targetBranch: "main",
      labels: index === 0 ? [] : ["bug"],
      assigneeIds: [nora.id],
      reviewerIds: [ivo.id],
      createdAt,
      state: index === 0 ? "opened" : "closed",
      closedAt: index === 0 ? null : "2026-10-20T10:00:00.000Z",
      closedById: index === 0 ? null : nora.id,
    });
    addEvents(world, request, { userId: nora.id, createdAt: request.closedAt ?? createdAt });
    const position = {
      base_sha: request.versions[0]?.base ?? "",
      head_sha: request.sha,
      start_sha: request.versions[0]?.base ?? "",
      position_type: "text",
      old_path: `work/${index}.md`,
      new_path: `work/${index}.md`,
      old_line: null,
      new_line: 3,
      line_range: null,
    };
    const remark = makeNote(world, {
      body: "When will it be done?",
      authorId: ivo.id,
      createdAt,
      type: "DiffNote",
      position,
      isResolved: index === 1,
      resolvedById: index === 1 ? nora.id : null,
    });
    const answer = makeNote(world, {
      ...remark,
      id: nextId(world.state),
      body: "Before the frost.",
      authorId: asa.id,
    });
    request.notes.push(remark, answer, makeNote(world, { body: "Thank you!", authorId: nora.id, createdAt }));
    request.approvals.push({ userId: ivo.id, at: createdAt });
  }
}

function seedRelease(world: GitlabWorld, { nora }: Cast, project: Project): void {
  const directory = codeDirectory(world, project);
  for (const tag of ["v1.0.0", "v1.1.0", "v2.4.0", "2026.10"]) {
    if (resolveCommit(directory, `refs/tags/${tag}`) === null) continue;
    const at = "2026-10-31T12:00:00.000Z";
    const url = `https://downloads.meridian.example/${project.path}/${tag}.tar.gz`;
    project.releases.push({
      tag,
      name: `${project.name} ${tag}`,
      description: `## What is new\n\n- ${tag} is faster\n- and knows umlauts`,
      authorId: nora.id,
      milestones: tag === "v1.1.0" ? ["Winter timetable"] : [],
      links: [
        { id: nextId(world.state), name: "Linux package", url, directAssetPath: null, type: "package" },
      ],
      createdAt: at,
      releasedAt: at,
    });
  }
}
