import { createGist } from "./gists.ts";
import type { Project, ProjectField } from "./records.ts";
import { type GithubWorld, nextId, type Repository } from "./state.ts";
import { takeNumber } from "./threads.ts";

const AT = "2026-09-14T07:20:00Z";

/** Seeds discussions in two categories, one of them answered. */
export function seedDiscussions(world: GithubWorld, repository: Repository): void {
  repository.hasDiscussions = true;
  const records = world.records.of(repository);
  const plan = [
    [
      "Ideas",
      "A map of all depots on the wall?",
      "A real one, with pins 📍",
      ["Yes, please.", "Who dusts it?"],
    ],
    [
      "Q&A",
      "Which scanner survives −25 °C?",
      "Ours freeze at the Kiruna ramp.",
      ["The yellow one.", "Keep it in the cab."],
    ],
    [
      "Show and tell",
      "Малък скрипт за CMR",
      "Prints a CMR from a JSON file. Gist in the first comment.",
      ["Браво!"],
    ],
  ] as const;
  for (const [category, title, body, comments] of plan) {
    const number = takeNumber(records);
    const ids = comments.map(() => nextId(world.state));
    const isAnswered = category === "Q&A";
    records.discussions.push({
      id: nextId(world.state),
      number,
      category: records.categories.find(({ name }) => name === category)?.id ?? 0,
      title,
      body,
      author: "ivo-petrov",
      isLocked: false,
      closedAt: null,
      stateReason: null,
      answer: isAnswered ? (ids[0] ?? null) : null,
      answeredBy: isAnswered ? "nora-lindqvist" : null,
      labelIds: [],
      upvotes: 3,
      createdAt: AT,
      updatedAt: AT,
      reactions: [{ id: nextId(world.state), login: "nora-lindqvist", content: "heart", createdAt: AT }],
    });
    for (const [index, text] of comments.entries()) {
      records.discussionComments.push({
        id: ids[index] ?? 0,
        discussion: number,
        // The second comment replies to the first.
        replyTo: index === 1 ? (ids[0] ?? null) : null,
        author: index === 0 ? "nora-lindqvist" : "ivo-petrov",
        body: text,
        createdAt: AT,
        updatedAt: AT,
        upvotes: index,
        reactions: [],
      });
    }
  }
  world.records.save(repository);
}

/** Seeds a project with a column, an estimate, a date and sprints. */
export function seedProject(world: GithubWorld, repository: Repository): void {
  const records = world.records.of(repository);
  const field = (
    name: string,
    type: ProjectField["type"],
    more: Partial<ProjectField> = {},
  ): ProjectField => ({
    id: nextId(world.state),
    name,
    type,
    options: [],
    iterations: [],
    ...more,
  });
  const options = ["Todo", "On the road 🚛", "Unloaded"].map((name, index) => ({
    id: `f75ad84${index}`,
    name,
    color: ["GRAY", "YELLOW", "GREEN"][index] ?? "GRAY",
    description: "",
  }));
  const iterations = [0, 1].map((index) => ({
    id: `cfc16e4${index}`,
    title: `Sprint ${index + 41}`,
    startDate: index === 0 ? "2026-10-05" : "2026-10-19",
    duration: 14,
  }));
  const status = field("Status", "SINGLE_SELECT", { options });
  const estimate = field("Estimate", "NUMBER");
  const due = field("Due", "DATE");
  const sprint = field("Sprint", "ITERATION", { iterations });
  const note = field("Note für den Fahrer", "TEXT");
  const project: Project = {
    id: nextId(world.state),
    number: records.nextProject,
    title: "Autumn peak",
    description: "What must be done before December",
    readme: "Pull from the top.",
    isPublic: false,
    isClosed: false,
    creator: "nora-lindqvist",
    createdAt: AT,
    updatedAt: AT,
    fields: [field("Title", "TITLE"), field("Assignees", "ASSIGNEES"), status, estimate, due, sprint, note],
    items: records.issues.slice(0, 9).map((issue, index) => ({
      id: nextId(world.state),
      type: issue.pull ? ("PULL_REQUEST" as const) : ("ISSUE" as const),
      number: issue.number,
      draft: null,
      isArchived: false,
      creator: "nora-lindqvist",
      createdAt: AT,
      updatedAt: AT,
      values: {
        [status.id]: options[index % 3]?.id ?? "",
        [estimate.id]: index + 0.5,
        [due.id]: `2026-11-${String(index + 10)}`,
        [sprint.id]: iterations[index % 2]?.id ?? "",
      },
    })),
  };
  project.items.push({
    id: nextId(world.state),
    type: "DRAFT_ISSUE",
    number: null,
    draft: { title: "Ask Yokohama about fonts", body: "Before the fair." },
    isArchived: false,
    creator: "ivo-petrov",
    createdAt: AT,
    updatedAt: AT,
    values: { [status.id]: options[0]?.id ?? "", [note.id]: "calls only in the morning" },
  });
  records.nextProject += 1;
  records.projects.push(project);
  world.records.save(repository);
}

/** Seeds settings that only administrators can see. */
export function seedSettings(world: GithubWorld, repository: Repository): void {
  const { settings } = world.records.of(repository);
  settings.protections.main = {
    required_status_checks: { strict: true, contexts: ["test", "lint"] },
    enforce_admins: true,
    required_pull_request_reviews: { required_approving_review_count: 1, dismiss_stale_reviews: true },
    restrictions: null,
    required_linear_history: true,
  };
  settings.rulesets.push({
    id: nextId(world.state),
    name: "Release tags stay",
    target: "tag",
    enforcement: "active",
    conditions: { ref_name: { include: ["refs/tags/v*"], exclude: [] } },
    rules: [{ type: "deletion" }, { type: "non_fast_forward" }],
    bypass_actors: [],
    createdAt: AT,
    updatedAt: AT,
  });
  settings.hooks.push({
    id: nextId(world.state),
    events: ["push", "release"],
    isActive: true,
    config: {
      url: "https://ci.meridian.example/hook",
      content_type: "json",
      insecure_ssl: "0",
      secret: "kept",
    },
    createdAt: AT,
    updatedAt: AT,
  });
  for (const name of ["DEPLOY_KEY", "FERRY_FEED_TOKEN"]) {
    settings.secrets.push({ name, createdAt: AT, updatedAt: AT });
  }
  settings.variables.push({ name: "REGION", value: "eu-north-1", createdAt: AT, updatedAt: AT });
  settings.environments.push({
    id: nextId(world.state),
    name: "production",
    waitMinutes: 10,
    reviewers: ["nora-lindqvist"],
    policy: { protected_branches: true, custom_branch_policies: false },
    secrets: ["DATABASE_URL"],
    variables: { LOG_LEVEL: "warn" },
    createdAt: AT,
    updatedAt: AT,
  });
  settings.merging = { allow_squash_merge: true, allow_merge_commit: false, delete_branch_on_merge: true };
  world.records.save(repository);
}

/**
 * Seeds five gists: a secret one, one with several files, one with several commits, and names that are hard to store.
 */
export async function seedGists(world: GithubWorld): Promise<void> {
  const make = async (
    order: { description: string | null; isPublic: boolean; owner?: string; files: Record<string, string> },
    day: string,
    comments: readonly string[] = [],
  ) => {
    const at = Date.parse(`${day}T09:00:00Z`);
    const gist = await createGist(world, { owner: "nora-lindqvist", ...order }, at);
    for (const body of comments) {
      const createdAt = `${day}T12:00:00Z`;
      gist.comments.push({
        ...{ id: nextId(world.state), author: "ivo-petrov", body, createdAt, updatedAt: createdAt },
      });
    }
  };
  const cmr = '{\n  "sender": "Meridian Freight AB",\n  "place": "Malmö"\n}\n';
  await make(
    {
      description: "Prints a CMR from a JSON file",
      isPublic: true,
      files: {
        "cmr.py": "import json, sys\n\nprint(json.load(sys.stdin))\n",
        "example.json": cmr,
        "README.md": "# CMR\n",
      },
    },
    "2025-04-02",
    ["Works for me.", "На български също! 🇧🇬"],
  );
  await make(
    { description: "Door codes (not here, of course)", isPublic: false, files: { "codes.md": "Ask Ivo.\n" } },
    "2025-08-19",
  );
  await make(
    {
      description: "Sourdough timetable 🍞",
      isPublic: true,
      files: { "surdegsbröd – måndag.md": "08:00 feed\n20:00 fold\n", "pâte à choux.txt": "later\n" },
    },
    "2026-02-11",
    ["Looks good"],
  );
  await make({ description: null, isPublic: false, files: { "gistfile1.txt": "paste\n" } }, "2026-06-30");
  await make(
    {
      owner: "ivo-petrov",
      description: "Perft numbers",
      isPublic: true,
      files: { "perft.rs": 'fn main() { println!("{}", 20 * 20); }\n' },
    },
    "2026-07-08",
  );
}
