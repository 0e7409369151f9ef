import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { createHistoryScript } from "#connectors/toolkit/simulator/history-script.ts";
import { importHistory } from "#connectors/toolkit/simulator/run-git.ts";
import { headBranch, isEmptyBare } from "./bare.ts";
import { createIssue, makeNote } from "./issuables.ts";
import { createMergeRequest } from "./merge-request-refs.ts";
import { codeDirectory, touchProject } from "./projects.ts";
import { type GitlabWorld, nextId, nextIid, type Project, timestamp } from "./state.ts";

/** How many of each to generate; notes are per issue. */
export type GenerateOrder = {
  issues: number;
  notes: number;
  labels: number;
  milestones: number;
  mergeRequests: number;
  releases: number;
};

const HOUR_MS = 3_600_000;
const SENTENCE = "The crane at the eastern quay stops when the wind turns, and nobody knows why. ";

/** Fills a project with large sets. Times increase by an hour per issue, so `updated_after` has something to filter. */
export async function generate(world: GitlabWorld, project: Project, order: GenerateOrder): Promise<void> {
  const authorId = project.creatorId;
  const begin = Date.parse("2024-01-01T00:00:00Z");
  const known = project.labels.length;
  for (let index = 1; index <= order.labels; index += 1) {
    const color = `#${((index * 7_919) % 0xffffff).toString(16).padStart(6, "0")}`;
    const name = `label ${known + index}`;
    project.labels.push({ id: nextId(world.state), name, color, description: null, priority: null });
  }
  for (let index = 1; index <= order.milestones; index += 1) addMilestone(world, project, begin);
  for (let index = 0; index < order.issues; index += 1) {
    const at = timestamp(begin + project.issues.length * HOUR_MS);
    const labels =
      project.labels.length === 0 ? [] : [project.labels[index % project.labels.length]?.name ?? ""];
    const issue = createIssue(world, project, {
      title: `Issue number ${index + 1} about the crane`,
      description: SENTENCE.repeat(1 + (index % 5)),
      authorId,
      labels,
      createdAt: at,
      state: index % 3 === 0 ? "closed" : "opened",
      closedAt: index % 3 === 0 ? at : null,
      // `createIssue` would search all issues for the next number, which is too slow for many.
      iid: (project.issues.at(-1)?.iid ?? 0) + 1,
    });
    for (let note = 0; note < order.notes; note += 1) {
      const createdAt = timestamp(Date.parse(at) + note * 60_000);
      issue.notes.push(makeNote(world, { authorId, createdAt, body: `Comment ${note + 1}. ${SENTENCE}` }));
    }
  }
  if (order.mergeRequests > 0) await addMergeRequests(world, project, order.mergeRequests);
  for (let index = 1; index <= order.releases; index += 1) addRelease(project, authorId, index);
  touchProject(world, project);
}

function addMilestone(world: GitlabWorld, project: Project, begin: number): void {
  const iid = nextIid(project.milestones);
  const at = timestamp(begin + iid * HOUR_MS);
  project.milestones.push({
    id: nextId(world.state),
    iid,
    title: `Milestone ${iid}`,
    description: SENTENCE,
    state: "active",
    dueDate: "2027-01-31",
    startDate: null,
    createdAt: at,
    updatedAt: at,
  });
}

async function addMergeRequests(world: GitlabWorld, project: Project, count: number): Promise<void> {
  const directory = codeDirectory(world, project);
  if (isEmptyBare(directory)) await addCommits(directory, { count: 1 });
  const target = headBranch(directory);
  const script = createHistoryScript();
  const first = nextIid(project.mergeRequests);
  for (let index = 0; index < count; index += 1) {
    script.commit({
      ref: `refs/heads/change-${first + index}`,
      author: { name: "Nora Lindqvist", email: "nora@meridian.example" },
      at: 1_720_000_000 + index,
      message: `Change ${first + index}\n`,
      from: `refs/heads/${target}`,
      files: [{ path: `changes/generated-${first + index}.md`, content: SENTENCE }],
    });
  }
  await importHistory(directory, script.parts());
  for (let index = 0; index < count; index += 1) {
    const request = createMergeRequest(world, project, {
      title: `Change ${first + index}`,
      description: SENTENCE,
      authorId: project.creatorId,
      sourceBranch: `change-${first + index}`,
      targetBranch: target,
    });
    request.notes.push(makeNote(world, { authorId: project.creatorId, body: "Looks good." }));
  }
}

function addRelease(project: Project, authorId: number, index: number): void {
  const at = timestamp();
  const tag = `generated-${project.releases.length + index}`;
  project.releases.push({
    tag,
    name: `Release ${tag}`,
    description: SENTENCE,
    authorId,
    milestones: [],
    links: [],
    createdAt: at,
    releasedAt: at,
  });
}
