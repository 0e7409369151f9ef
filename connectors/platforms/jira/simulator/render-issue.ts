import { kindOf, schemaOf } from "./field-kinds.ts";
import { showValue } from "./field-show.ts";
import { canSeeIssue } from "./permissions.ts";
import {
  renderCategory,
  renderIssueType,
  renderNamed,
  renderProjectShort,
  renderStatus,
} from "./render-config.ts";
import {
  renderAttachment,
  renderChange,
  renderComment,
  renderWorklog,
  seenComments,
  seenWorklogs,
} from "./render-parts.ts";
import { renderPerson } from "./render-people.ts";
import type { Field, Issue, IssueLink, Project } from "./state.ts";
import { byId, childrenOf, fieldsOf, findIssue, keyOf, linksOf, projectOf, statusOf } from "./store.ts";
import { jiraTime, showDuration } from "./times.ts";
import type { Viewer } from "./viewer.ts";

/** What a request wants of each issue. */
export type IssueWish = {
  /** Names of fields, `*all`, `*navigable`, `-name`. */
  fields: readonly string[];
  expand: ReadonlySet<string>;
  properties: readonly string[];
};

/** Comments and worklogs inside an issue end at these numbers. */
const FIRST_COMMENTS = 100;
const FIRST_WORKLOGS = 20;
/** An expanded history has the newest entries only. */
const FIRST_CHANGES = 100;

/** Fields that `*navigable` leaves out. */
const NOT_NAVIGABLE = new Set(["attachment", "comment", "timetracking", "worklog"]);

/** An issue, with the fields that a request asks for. */
export function renderIssue(viewer: Viewer, issue: Issue, wish: IssueWish): Record<string, unknown> {
  const { site } = viewer;
  const project = projectOf(site, issue);
  const head = {
    expand: "renderedFields,names,schema,operations,editmeta,changelog,versionedRepresentations",
    id: issue.id,
    self: `${viewer.base}/rest/api/3/issue/${issue.id}`,
    key: keyOf(site, issue),
  };
  const fields = chosenFields(fieldsOf(site, project), wish.fields);
  const expanded = wish.expand.has("changelog") ? { changelog: firstChanges(viewer, issue) } : {};
  const properties =
    wish.properties.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            wish.properties.flatMap((key) => (key in issue.properties ? [[key, issue.properties[key]]] : [])),
          ),
        };
  // Whoever asks for the id or key only gets no `fields`.
  if (fields.length === 0) return { ...head, ...expanded, ...properties };
  const shown = Object.fromEntries(
    fields.map((field) => [field.id, showField(viewer, project, issue, field)]),
  );
  return { ...head, ...expanded, ...properties, fields: shown };
}

/** The fields that a list of names means. Unknown names are passed over. */
export function chosenFields(fields: readonly Field[], names: readonly string[]): Field[] {
  const without = new Set(names.filter((name) => name.startsWith("-")).map((name) => name.slice(1)));
  const isAll = names.includes("*all") || names.every((name) => name.startsWith("-"));
  const isNavigable = names.includes("*navigable");
  return fields.filter(({ id }) => {
    if (without.has(id)) return false;
    return isAll || (isNavigable && !NOT_NAVIGABLE.has(id)) || names.includes(id);
  });
}

/** The names and schemas of fields, for `expand=names,schema`. */
export function renderNamesAndSchema(fields: readonly Field[], expand: ReadonlySet<string>) {
  return {
    ...(expand.has("names") ? { names: Object.fromEntries(fields.map(({ id, name }) => [id, name])) } : {}),
    ...(expand.has("schema")
      ? { schema: Object.fromEntries(fields.map((field) => [field.id, schemaOf(field)])) }
      : {}),
  };
}

function firstChanges(viewer: Viewer, issue: Issue) {
  const newest = [...issue.changes].reverse().slice(0, FIRST_CHANGES);
  return {
    startAt: 0,
    maxResults: newest.length,
    total: issue.changes.length,
    histories: newest.map((change) => renderChange(viewer, change)),
  };
}

function showField(viewer: Viewer, project: Project, issue: Issue, field: Field): unknown {
  const { site, base } = viewer;
  const time = (at: number) => jiraTime(at, viewer.person.timeZone);
  const self = `${base}/rest/api/3/issue/${keyOf(site, issue)}`;
  switch (field.id) {
    case "issuetype":
      return renderIssueType(viewer, byId(site.issueTypes, issue.typeId));
    case "project":
      return renderProjectShort(viewer, project);
    case "status":
      return renderStatus(viewer, statusOf(site, issue));
    case "statusCategory":
      return renderCategory(viewer, statusOf(site, issue).category);
    case "statuscategorychangedate":
      return time(issue.statusSince);
    case "creator":
      return renderPerson(viewer, issue.creatorId);
    case "created":
      return time(issue.createdAt);
    case "updated":
      return time(issue.updatedAt);
    case "resolutiondate":
      return issue.resolvedAt === null ? null : time(issue.resolvedAt);
    case "lastViewed":
      // Jira notes that the caller has just seen it: the value changes by itself.
      return time(Date.now());
    case "attachment":
      return issue.attachments.map((attachment) => renderAttachment(viewer, attachment));
    case "issuelinks":
      return linksOf(site, issue).flatMap((link) => renderLinkAt(viewer, issue, link));
    case "subtasks":
      return childrenOf(viewer.world, site, issue)
        .filter((child) => byId(site.issueTypes, child.typeId).level === -1 && canSeeIssue(viewer, child))
        .map((child) => renderIssueShort(viewer, child));
    case "parent": {
      const parent =
        typeof issue.values.parent === "string" ? findIssue(viewer.world, site, issue.values.parent) : null;
      return parent && canSeeIssue(viewer, parent) ? renderIssueShort(viewer, parent) : undefined;
    }
    case "comment": {
      const comments = seenComments(viewer, issue);
      const first = comments.slice(0, FIRST_COMMENTS);
      return {
        comments: first.map((comment) => renderComment(viewer, issue, comment)),
        self: `${base}/rest/api/3/issue/${issue.id}/comment`,
        maxResults: first.length,
        total: comments.length,
        startAt: 0,
      };
    }
    case "worklog": {
      const worklogs = seenWorklogs(viewer, issue);
      return {
        startAt: 0,
        maxResults: FIRST_WORKLOGS,
        total: worklogs.length,
        worklogs: worklogs.slice(0, FIRST_WORKLOGS).map((worklog) => renderWorklog(viewer, issue, worklog)),
      };
    }
    case "votes":
      return {
        self: `${self}/votes`,
        votes: issue.voterIds.length,
        hasVoted: issue.voterIds.includes(viewer.person.accountId),
      };
    case "watches":
      return {
        self: `${self}/watchers`,
        watchCount: issue.watcherIds.length,
        isWatching: issue.watcherIds.includes(viewer.person.accountId),
      };
    case "issuerestriction":
      return { issuerestrictions: {}, shouldDisplay: project.style === "next-gen" };
    case "workratio":
      return -1;
    default:
      return TIME_FIELDS.has(field.id) ? showTimes(issue, field.id) : showOwn(viewer, project, issue, field);
  }
}

function showOwn(viewer: Viewer, project: Project, issue: Issue, field: Field): unknown {
  if (kindOf(field) === "rank") return issue.rank;
  if (field.typeKey?.endsWith("devsummarycf")) return "{}";
  return showValue(viewer, project, field, issue.values[field.id]);
}

const TIME_FIELDS = new Set([
  ...["timespent", "timeestimate", "timeoriginalestimate", "aggregatetimespent", "aggregatetimeestimate"],
  ...["aggregatetimeoriginalestimate", "timetracking", "progress", "aggregateprogress"],
]);

/** The fields of time tracking. */
function showTimes(issue: Issue, fieldId: string): unknown {
  const { original = null, remaining = null } = (issue.values.timetracking ?? {}) as {
    original?: number | null;
    remaining?: number | null;
  };
  const spent = issue.timeSpentSeconds === 0 ? null : issue.timeSpentSeconds;
  const times: Record<string, number | null> = {
    timespent: spent,
    timeestimate: remaining,
    timeoriginalestimate: original,
    aggregatetimespent: spent,
    aggregatetimeestimate: remaining,
    aggregatetimeoriginalestimate: original,
  };
  if (fieldId in times) return times[fieldId];
  if (fieldId === "progress" || fieldId === "aggregateprogress") {
    const total = (spent ?? 0) + (remaining ?? 0);
    return {
      progress: spent ?? 0,
      total,
      ...(total === 0 ? {} : { percent: Math.floor(((spent ?? 0) * 100) / total) }),
    };
  }
  const show = (name: string, seconds: number | null) =>
    seconds === null ? {} : { [name]: showDuration(seconds), [`${name}Seconds`]: seconds };
  return {
    ...show("originalEstimate", original),
    ...show("remainingEstimate", remaining),
    ...show("timeSpent", spent),
  };
}

/** An issue as others show it: parents, sub-tasks, links. */
export function renderIssueShort(viewer: Viewer, issue: Issue) {
  const { site, base } = viewer;
  const { priority } = issue.values;
  return {
    id: issue.id,
    key: keyOf(site, issue),
    self: `${base}/rest/api/3/issue/${issue.id}`,
    fields: {
      summary: issue.values.summary ?? "",
      status: renderStatus(viewer, statusOf(site, issue)),
      ...(typeof priority === "string"
        ? { priority: renderNamed(viewer, "priority", site.priorities, priority) }
        : {}),
      issuetype: renderIssueType(viewer, byId(site.issueTypes, issue.typeId)),
    },
  };
}

function renderLinkAt(viewer: Viewer, issue: Issue, link: IssueLink): Record<string, unknown>[] {
  const { site, base } = viewer;
  const isFrom = link.fromId === issue.id;
  const other = findIssue(viewer.world, site, isFrom ? link.toId : link.fromId);
  if (!other || !canSeeIssue(viewer, other)) return [];
  return [
    {
      id: link.id,
      self: `${base}/rest/api/3/issueLink/${link.id}`,
      type: renderLinkType(viewer, link.typeId),
      [isFrom ? "outwardIssue" : "inwardIssue"]: renderIssueShort(viewer, other),
    },
  ];
}

/** A type of links. */
export function renderLinkType({ base, site }: Viewer, id: string) {
  return { ...byId(site.linkTypes, id), self: `${base}/rest/api/3/issueLinkType/${id}` };
}
