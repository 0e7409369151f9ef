import { canSeeRestricted } from "./permissions.ts";
import { renderPerson } from "./render-people.ts";
import type { Attachment, Change, Comment, Issue, RemoteLink, Visibility, Worklog } from "./state.ts";
import { projectOf } from "./store.ts";
import { jiraTime, showDuration } from "./times.ts";
import type { Viewer } from "./viewer.ts";

/** The comments of an issue that the viewer sees, oldest first. */
export function seenComments(viewer: Viewer, issue: Issue): Comment[] {
  const project = projectOf(viewer.site, issue);
  return issue.comments.filter((comment) => canSeeRestricted(viewer, project, comment));
}

/** The worklogs of an issue that the viewer sees, oldest first. */
export function seenWorklogs(viewer: Viewer, issue: Issue): Worklog[] {
  const project = projectOf(viewer.site, issue);
  return issue.worklogs.filter((worklog) => canSeeRestricted(viewer, project, worklog));
}

function renderVisibility({ site }: Viewer, visibility: Visibility | null) {
  if (visibility === null) return {};
  const { type, identifier } = visibility;
  const list = type === "group" ? site.groups : site.roles;
  const value = list.find(({ id }) => id === identifier)?.name ?? "";
  return { visibility: { type, value, identifier: type === "group" ? identifier : value } };
}

/** A comment. */
export function renderComment(viewer: Viewer, issue: Issue, comment: Comment) {
  const time = (at: number) => jiraTime(at, viewer.person.timeZone);
  return {
    self: `${viewer.base}/rest/api/3/issue/${issue.id}/comment/${comment.id}`,
    id: comment.id,
    author: renderPerson(viewer, comment.authorId),
    body: comment.body,
    updateAuthor: renderPerson(viewer, comment.updateAuthorId),
    created: time(comment.createdAt),
    updated: time(comment.updatedAt),
    ...renderVisibility(viewer, comment.visibility),
    jsdPublic: comment.isPublic,
  };
}

/** A worklog. */
export function renderWorklog(viewer: Viewer, issue: Issue, worklog: Worklog) {
  const time = (at: number) => jiraTime(at, viewer.person.timeZone);
  return {
    self: `${viewer.base}/rest/api/3/issue/${issue.id}/worklog/${worklog.id}`,
    author: renderPerson(viewer, worklog.authorId),
    updateAuthor: renderPerson(viewer, worklog.updateAuthorId),
    ...(worklog.comment === null ? {} : { comment: worklog.comment }),
    created: time(worklog.createdAt),
    updated: time(worklog.updatedAt),
    ...renderVisibility(viewer, worklog.visibility),
    started: time(worklog.startedAt),
    timeSpent: showDuration(worklog.seconds),
    timeSpentSeconds: worklog.seconds,
    id: worklog.id,
    issueId: issue.id,
  };
}

/** An attachment as issues show it. */
export function renderAttachment(viewer: Viewer, attachment: Attachment) {
  const { base } = viewer;
  return {
    self: `${base}/rest/api/3/attachment/${attachment.id}`,
    id: attachment.id,
    filename: attachment.fileName,
    author: renderPerson(viewer, attachment.authorId),
    created: jiraTime(attachment.createdAt, viewer.person.timeZone),
    size: attachment.bytes,
    mimeType: attachment.mimeType,
    content: `${base}/rest/api/3/attachment/content/${attachment.id}`,
    ...(attachment.mimeType.startsWith("image/")
      ? { thumbnail: `${base}/rest/api/3/attachment/thumbnail/${attachment.id}` }
      : {}),
  };
}

/** An entry of the history. */
export function renderChange(viewer: Viewer, change: Change) {
  return {
    id: change.id,
    author: renderPerson(viewer, change.authorId),
    created: jiraTime(change.at, viewer.person.timeZone),
    items: change.items.map((item) => ({
      field: item.field,
      fieldtype: item.isCustom ? "custom" : "jira",
      fieldId: item.fieldId,
      from: item.from,
      fromString: item.fromText,
      to: item.to,
      toString: item.toText,
    })),
  };
}

/** A link to a web page. */
export function renderRemoteLink({ base }: Viewer, issue: Issue, link: RemoteLink) {
  return {
    id: Number(link.id),
    self: `${base}/rest/api/3/issue/${issue.id}/remotelink/${link.id}`,
    ...(link.globalId === null ? {} : { globalId: link.globalId }),
    application: link.application,
    ...(link.relationship === null ? {} : { relationship: link.relationship }),
    object: link.object,
  };
}
