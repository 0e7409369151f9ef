import { createHash } from "node:crypto";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { traceOf } from "./change-text.ts";
import type { Issue, JiraWorld, Project, Site } from "./state.ts";
import { byId, issuesOf, keyOf, personOf, statusOf, typesOf } from "./store.ts";

/**
 * What a project holds, in words instead of ids, so that two projects can be compared. Issues are named by summary,
 * because a restored one has another key.
 */
export function dumpProject(world: JiraWorld, site: Site, project: Project) {
  const name = (accountId: string) => personOf(world, accountId).displayName;
  return {
    key: project.key,
    name: project.name,
    description: project.description,
    types: typesOf(site, project).map((type) => type.name),
    components: project.components.map((component) => component.name).sort(),
    versions: project.versions.map(({ id: _, ...version }) => version),
    boards: site.boards
      .filter(({ projectId }) => projectId === project.id)
      .map((board) => ({
        name: board.name,
        kind: board.kind,
        columns: board.columns.map((column) => column.name),
        sprints: site.sprints
          .filter(({ boardId }) => boardId === board.id)
          .map((sprint) => [sprint.name, sprint.state]),
      })),
    issues: issuesOf(world, site, project).map((issue) => dumpIssue(world, site, project, issue, name)),
  };
}

function dumpIssue(
  world: JiraWorld,
  site: Site,
  project: Project,
  issue: Issue,
  name: (id: string) => string,
) {
  const summaryOf = (id: string) => {
    const other = site.issues.find((known) => known.id === id);
    return other ? String(other.values.summary) : id;
  };
  const fields = Object.entries(issue.values).flatMap(([id, value]) => {
    if (value === null || id === "summary" || id === "parent" || id === "description") return [];
    const { text } = traceOf(world, site, project, byId(site.fields, id), value);
    return [[byId(site.fields, id).name, text]];
  });
  return {
    key: keyOf(site, issue),
    summary: issue.values.summary,
    type: byId(site.issueTypes, issue.typeId).name,
    status: statusOf(site, issue).name,
    creator: name(issue.creatorId),
    parent: typeof issue.values.parent === "string" ? summaryOf(issue.values.parent) : null,
    description: issue.values.description ?? null,
    fields: Object.fromEntries(fields),
    comments: issue.comments.map((comment) => ({
      author: name(comment.authorId),
      body: comment.body,
      isPublic: comment.isPublic,
      visibility: comment.visibility?.type ?? null,
    })),
    worklogs: issue.worklogs.map((worklog) => ({
      author: name(worklog.authorId),
      seconds: worklog.seconds,
      startedAt: worklog.startedAt,
      comment: worklog.comment,
    })),
    attachments: issue.attachments.map(({ fileName, bytes, sha256, mimeType }) => ({
      fileName,
      bytes,
      sha256,
      mimeType,
    })),
    watchers: issue.watcherIds.map(name).sort(),
    voters: issue.voterIds.map(name).sort(),
    remoteLinks: issue.remoteLinks.map(({ object, relationship }) => ({
      url: object.url,
      title: object.title,
      relationship,
    })),
    links: site.links
      .filter(({ fromId }) => fromId === issue.id)
      .map(({ typeId, toId }) => [byId(site.linkTypes, typeId).outward, summaryOf(toId)]),
    properties: issue.properties,
    changes: issue.changes.length,
  };
}

/** A hash of a dump, for quick comparison. */
export function hashOf(dump: unknown): string {
  return createHash("sha256")
    .update(canonicalJson(JSON.parse(JSON.stringify(dump))))
    .digest("hex");
}
