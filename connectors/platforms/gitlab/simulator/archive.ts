import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gitEnvironment } from "#connectors/toolkit/simulator/git-backend.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { isBare, isEmptyBare } from "./bare.ts";
import { createIssue, makeNote } from "./issuables.ts";
import { codeDirectory, wikiDirectory } from "./projects.ts";
import {
  type GitlabWorld,
  type Issue,
  type Label,
  type Milestone,
  type Note,
  nextId,
  type Project,
} from "./state.ts";

const run = promisify(execFile);

/** Relations that can be imported alone; existing records are skipped. */
export const RELATIONS = ["issues", "merge_requests", "milestones", "ci_pipelines"] as const;
export type Relation = (typeof RELATIONS)[number];

type ExportedNote = Pick<Note, "createdAt" | "isSystem" | "discussionId" | "type"> & {
  note: string;
  author: { name: string };
};
type ExportedIssue = Pick<
  Issue,
  "iid" | "title" | "description" | "state" | "createdAt" | "updatedAt" | "closedAt"
> & {
  labels: string[];
  milestone: string | null;
  author: string;
  isConfidential: boolean;
  dueDate: string | null;
  notes: ExportedNote[];
};

/**
 * Writes a project's export file: bundles of code and wiki, and a tree of NDJSON. Leaves out variables, hooks and
 * tokens, as GitLab does.
 */
export async function writeArchive(world: GitlabWorld, project: Project, file: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "gitlab-export-"));
  try {
    const tree = path.join(folder, "tree/project");
    mkdirSync(tree, { recursive: true });
    writeFileSync(path.join(folder, "VERSION"), "0.2.4");
    writeFileSync(path.join(folder, "GITLAB_VERSION"), "18.6.0-pre");
    for (const [name, directory] of [
      ["project.bundle", codeDirectory(world, project)],
      ["project.wiki.bundle", wikiDirectory(world, project)],
    ] as const) {
      if (!isBare(directory) || isEmptyBare(directory)) continue;
      runGit(directory, ["bundle", "create", "--quiet", path.join(folder, name), "--all"]);
    }
    const { description, visibility, mergeMethod } = project;
    writeFileSync(
      path.join(folder, "tree/project.json"),
      JSON.stringify({ description, visibility, mergeMethod }),
    );
    const lines = (name: string, items: readonly unknown[]) =>
      writeFileSync(
        path.join(tree, `${name}.ndjson`),
        items.map((item) => `${JSON.stringify(item)}\n`).join(""),
      );
    lines("labels", project.labels);
    lines("milestones", project.milestones);
    lines(
      "issues",
      project.issues.map((issue) => exportIssue(world, project, issue)),
    );
    await run("tar", ["-czf", file, "-C", folder, "."]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports an export file into a project. The importer becomes the author; the texts keep the old names. */
export async function readArchive(
  world: GitlabWorld,
  project: Project,
  file: string,
  options: { importerId: number; relation: Relation | null },
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "gitlab-import-"));
  try {
    await run("tar", ["-xzf", file, "-C", folder]);
    // Throws if the file is not an export.
    readFileSync(path.join(folder, "VERSION"), "utf8");
    const { relation } = options;
    const lines = <T>(name: string): T[] =>
      readFileSync(path.join(folder, "tree/project", `${name}.ndjson`), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as T);
    if (relation === null) {
      await unbundle(path.join(folder, "project.bundle"), codeDirectory(world, project));
      await unbundle(path.join(folder, "project.wiki.bundle"), wikiDirectory(world, project));
      Object.assign(project, JSON.parse(readFileSync(path.join(folder, "tree/project.json"), "utf8")));
      project.labels = lines<Label>("labels").map((label) => ({ ...label, id: nextId(world.state) }));
    }
    if (relation === null || relation === "milestones")
      importMilestones(world, project, lines<Milestone>("milestones"));
    if (relation === null || relation === "issues") {
      for (const issue of lines<ExportedIssue>("issues"))
        importIssue(world, project, issue, options.importerId);
    }
    world.save();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function exportIssue(world: GitlabWorld, project: Project, issue: Issue): ExportedIssue {
  const nameOf = (userId: number) => world.state.users.find(({ id }) => id === userId)?.name ?? "Ghost User";
  const { iid, title, description, state, createdAt, updatedAt, closedAt, labels, isConfidential, dueDate } =
    issue;
  return {
    ...{ iid, title, description, state, createdAt, updatedAt, closedAt, labels, isConfidential, dueDate },
    milestone: project.milestones.find(({ id }) => id === issue.milestoneId)?.title ?? null,
    author: nameOf(issue.authorId),
    notes: issue.notes.map(({ body, authorId, createdAt: at, isSystem, discussionId, type }) => ({
      ...{ note: body, createdAt: at, isSystem, discussionId, type },
      author: { name: nameOf(authorId) },
    })),
  };
}

function importMilestones(world: GitlabWorld, project: Project, milestones: readonly Milestone[]): void {
  for (const milestone of milestones) {
    if (project.milestones.some(({ title }) => title === milestone.title)) continue;
    project.milestones.push({ ...milestone, id: nextId(world.state) });
  }
}

function importIssue(
  world: GitlabWorld,
  project: Project,
  exported: ExportedIssue,
  importerId: number,
): void {
  if (project.issues.some(({ iid }) => iid === exported.iid)) return;
  const { notes, milestone, author, description, ...facts } = exported;
  const signed = (text: string, name: string) => `*Created by: ${name}*\n\n${text}`;
  const issue = createIssue(world, project, {
    ...facts,
    description: signed(description ?? "", author),
    authorId: importerId,
    milestoneId: project.milestones.find(({ title }) => title === milestone)?.id ?? null,
  });
  issue.updatedAt = exported.updatedAt;
  for (const { note, author: writer, ...rest } of notes) {
    const body = rest.isSystem ? note : signed(note, writer.name);
    issue.notes.push(makeNote(world, { ...rest, body, authorId: importerId }));
  }
}

async function unbundle(bundle: string, directory: string): Promise<void> {
  if (!existsSync(bundle)) return;
  initBare(directory);
  const { stdout } = await run("git", ["bundle", "list-heads", bundle], { env: gitEnvironment() });
  const refs = stdout.split("\n").filter((line) => / refs\/(heads|tags)\//.test(line));
  runGit(directory, ["fetch", "--quiet", bundle, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"]);
  const head = stdout
    .split("\n")
    .find((line) => line.endsWith(" HEAD"))
    ?.slice(0, 40);
  const branch = refs.find(
    (line) => head !== undefined && line.startsWith(head) && line.includes(" refs/heads/"),
  );
  if (branch) runGit(directory, ["symbolic-ref", "HEAD", branch.slice(41)]);
}
