import type { Json } from "#core/kernel/canonical-json.ts";
import type { Adf } from "../record-types.ts";
import type { ColumnStatus } from "./columns.ts";
import type { Workflow } from "./workflow-path.ts";

/** A project of the site. `style` is `classic` or `next-gen`. */
export type SiteProject = {
  id: string;
  key: string;
  name: string;
  description: string | null;
  projectTypeKey: string;
  style: string | null;
};

/** An issue type that the account may create in a project. */
export type CreateType = { id: string; name: string; subtask: boolean; hierarchyLevel: number };

/** A field of the create screen of an issue type (`createmeta`). */
export type CreateField = {
  fieldId: string;
  name: string;
  required: boolean;
  schema: { type: string; items?: string | undefined; custom?: string | undefined };
  allowedValues: readonly AllowedValue[];
};
export type AllowedValue = {
  id: string;
  name?: string | undefined;
  value?: string | undefined;
  children: readonly { id: string; value?: string | undefined }[];
};

export type Named = { id: string; name: string };

/** Restricts a comment or worklog to a group or role. */
export type Visibility = { type: string; value?: string; identifier?: string };

/** What one issue is created with. */
export type NewIssue = { fields: Record<string, Json>; properties: { key: string; value: Json }[] };

/** A created issue, or why Jira refused it. `fields` = the fields that it names. */
export type Creation =
  | { type: "made"; id: string; key: string }
  | { type: "refused"; reason: string; fields: readonly string[] };

/** An issue as it is at Jira, read by key and never through the search index, which lags. */
export type FoundIssue = {
  id: string;
  key: string;
  summary: string;
  statusId: string;
  typeName: string;
  resolution: string | null;
  attachments: { id: string; filename: string; size: number }[];
  comments: number | null;
  /** The property by which restores mark their issues. */
  mark: Json | null;
};

/** A comment, or a worklog with its start and length. `isPublic` = customers of a service project see it. */
export type FoundText = {
  id: string;
  body: Adf | null;
  started: string | null;
  seconds: number;
  isPublic: boolean;
};

export type SiteBoard = { id: string; name: string; type: string };

/**
 * The calls of a restore, so that another way of writing can take the place of single calls. Every failure is a
 * ConnectorError. Calls marked "again" may be repeated: they do nothing the second time.
 */
export type JiraCalls = {
  project(idOrKey: string): Promise<SiteProject>;
  /** Projects whose name or key begins with the words, or contains them. */
  findProjects(words: string): Promise<SiteProject[]>;
  /** The wanted key if it is valid and free, else another one. */
  freeKey(wanted: string): Promise<string>;
  createProject(order: {
    key: string;
    name: string;
    description: string;
    typeKey: string;
    templateKey: string;
    leadId: string;
  }): Promise<{ id: string; key: string }>;
  createTypes(projectId: string): Promise<CreateType[]>;
  createFields(projectId: string, typeId: string): Promise<CreateField[]>;
  statuses(projectId: string): Promise<ColumnStatus[]>;
  /** Empty also if the account may not see boards. */
  boards(projectId: string): Promise<SiteBoard[]>;
  boardColumns(boardId: string): Promise<{ name: string; statuses: { id: string }[] }[]>;
  components(projectId: string): Promise<Named[]>;
  createComponent(
    projectKey: string,
    component: { name: string; description: string | null },
  ): Promise<Named>;
  versions(projectId: string): Promise<Named[]>;
  createVersion(
    projectId: string,
    version: {
      name: string;
      description: string | null;
      released: boolean;
      archived: boolean;
      startDate: string | null;
      releaseDate: string | null;
    },
  ): Promise<Named>;
  /** The workflow of an issue type; null = the account may not see it. */
  workflow(projectId: string, typeId: string): Promise<Workflow | null>;
  /** Those of the people who exist and are active. */
  activePeople(accountIds: readonly string[]): Promise<Set<string>>;
  /** The number of the newest issue that search knows; 0 = none. It may lag. */
  newestNumber(project: { id: string; key: string }): Promise<number>;
  /** At most 100 keys; unknown ones are left out. */
  issues(keys: readonly string[]): Promise<FoundIssue[]>;
  /** At most 50; answers in their order. */
  createIssues(issues: readonly NewIssue[]): Promise<Creation[]>;
  createIssue(issue: NewIssue): Promise<Creation>;
  /** Again. Nobody is notified. */
  editIssue(key: string, fields: Record<string, Json>): Promise<void>;
  transitions(key: string): Promise<{ id: string; to: string }[]>;
  /** The fields on the screen of a transition that the issue can make now. */
  transitionFields(key: string, transitionId: string): Promise<CreateField[]>;
  transition(key: string, transitionId: string, fields: Record<string, Json>): Promise<void>;
  comments(key: string): Promise<FoundText[]>;
  /** `isInternal` = customers of a service project must not see it. `isPublic` = they do, against the wish. */
  addComment(
    key: string,
    comment: { body: Adf; visibility: Visibility | null; isInternal: boolean },
  ): Promise<{ id: string; isPublic: boolean }>;
  /** Takes a comment of ours away. */
  removeComment(key: string, commentId: string): Promise<void>;
  worklogs(key: string): Promise<FoundText[]>;
  addWorklog(
    key: string,
    worklog: { comment: Adf; started: string; seconds: number; visibility: Visibility | null },
  ): Promise<{ id: string }>;
  /** Again. `from` shows the outward name of the type. */
  linkIssues(link: { typeName: string; from: string; to: string }): Promise<void>;
  /** Again, by its global id. */
  addRemoteLink(key: string, link: Record<string, Json>): Promise<void>;
  /** Again. */
  addWatcher(key: string, accountId: string): Promise<void>;
  sprints(boardId: string): Promise<{ id: string; name: string; state: string; goal: string | null }[]>;
  createSprint(sprint: {
    boardId: string;
    name: string;
    goal: string | null;
    startDate: string | null;
    endDate: string | null;
  }): Promise<{ id: string }>;
  /** Again; at most 50. */
  moveToSprint(sprintId: string, keys: readonly string[]): Promise<void>;
  /** Again; at most 50, behind another issue in their order. */
  rankAfter(keys: readonly string[], after: string): Promise<void>;
};

/** The entity property by which a restored issue tells its restore and its old key. */
export const MARK_PROPERTY = "holdfast.restored";

/** Limits of Jira's calls (its documentation). */
export const ISSUES_PER_CREATE = 50;
export const ISSUES_PER_FETCH = 100;
export const ISSUES_PER_MOVE = 50;
