import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type JiraCall, jiraClient, paths } from "../client.ts";
import { writePaths } from "../write-paths.ts";
import { type Creation, type JiraCalls, MARK_PROPERTY, type NewIssue } from "./jira-calls.ts";
import {
  adf,
  bulkAnswer,
  createField,
  createType,
  foundIssue,
  id,
  listOf,
  made,
  named,
  type problems,
  project,
  statusesOfType,
  text,
  transitionScreen,
  workflows,
} from "./rest-answers.ts";

/** An answer without content, or whose content does not matter. */
const nothing = z.unknown();

const FOUND_FIELDS = ["summary", "status", "issuetype", "resolution", "attachment", "comment"];
const PER_PAGE = 100;
const MOST_PAGES = 500;
const PEOPLE_PER_CALL = 50;

/** The calls of a restore over Jira's REST API. */
export function restCalls(session: Session): JiraCalls {
  const client = jiraClient(session);
  const send = async (call: JiraCall): Promise<void> => {
    try {
      await client.request(call, nothing);
    } catch (error) {
      // A link is answered with 201 and nothing, which the client takes for a broken answer.
      if (!(error instanceof ConnectorError) || error.status !== 201) throw error;
    }
  };
  /** Reads a list with `startAt`, whose members stand under a name. */
  const all = async <S extends z.ZodType>(
    call: JiraCall,
    name: string,
    member: S,
  ): Promise<z.output<S>[]> => {
    const page = z.looseObject({
      [name]: z.array(member),
      isLast: z.boolean().optional(),
      total: z.number().optional(),
    });
    const found: z.output<S>[] = [];
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const query = { ...call.query, startAt: found.length, maxResults: PER_PAGE };
      const answer = await client.request({ ...call, query }, page);
      const members = answer[name] as z.output<S>[];
      found.push(...members);
      const isLast = answer.isLast ?? (answer.total === undefined || found.length >= Number(answer.total));
      if (isLast || members.length === 0) break;
    }
    return found;
  };
  const restricted = (visibility: object | null) => (visibility === null ? {} : { visibility });

  return {
    project: (key) =>
      client.request(
        { method: "GET", path: paths.project(key), about: "the project", endpoint: "project" },
        project,
        () => 1,
      ),
    findProjects: async (query) => {
      const call = { path: paths.projects, about: "the projects", endpoint: "project" } as const;
      const found = z.object({ values: z.array(project) });
      const more = { query, maxResults: PER_PAGE, expand: "description" };
      const answer = await client.request(
        { ...call, method: "GET", query: more },
        found,
        ({ values }) => values.length,
      );
      return answer.values;
    },
    freeKey: (key) =>
      client.request(
        { method: "GET", path: writePaths.freeKey, query: { key }, about: "a free key", endpoint: "project" },
        z.string(),
      ),
    createProject: async ({ key, name, description, typeKey, templateKey, leadId }) => {
      const body = {
        ...{ key, name, description, projectTypeKey: typeKey, projectTemplateKey: templateKey },
        ...{ leadAccountId: leadId, assigneeType: "UNASSIGNED" },
      };
      const call = { path: writePaths.project, body, about: "the new project", endpoint: "project" } as const;
      return await client.request({ ...call, method: "POST" }, made);
    },
    createTypes: async (projectId) => {
      const call = {
        method: "GET",
        path: paths.createTypes(projectId),
        about: "the work types",
        endpoint: "configuration",
      } as const;
      const types = await all(call, "issueTypes", createType);
      return types.map((type) => ({ ...type, hierarchyLevel: type.hierarchyLevel ?? levelOf(type) }));
    },
    createFields: (projectId, typeId) =>
      all(
        {
          method: "GET",
          path: paths.createFields(projectId, typeId),
          about: "the fields",
          endpoint: "configuration",
        },
        "fields",
        createField,
      ),
    statuses: async (projectId) => {
      const call = {
        method: "GET",
        path: paths.projectStatuses(projectId),
        about: "the statuses",
        endpoint: "project",
      } as const;
      const types = await client.request(call, z.array(statusesOfType));
      const byId = new Map(
        types.flatMap(({ statuses }) => statuses.map((status) => [status.id, status] as const)),
      );
      return [...byId.values()].map(({ statusCategory, ...status }) => ({
        ...status,
        category: statusCategory?.key ?? null,
      }));
    },
    boards: async (projectId) => {
      const query = { projectKeyOrId: projectId };
      const call = {
        method: "GET",
        path: paths.boards,
        query,
        about: "the boards",
        endpoint: "agile",
      } as const;
      return await all(call, "values", named.extend({ type: z.string() })).catch((error: unknown) => {
        if (isRefused(error)) return [];
        throw error;
      });
    },
    boardColumns: async (boardId) => {
      const call = {
        method: "GET",
        path: paths.boardColumns(boardId),
        about: "the board",
        endpoint: "agile",
      } as const;
      const column = z.object({ name: z.string(), statuses: listOf(z.object({ id })) });
      const form = z.object({ columnConfig: z.object({ columns: z.array(column) }) });
      return (await client.request(call, form)).columnConfig.columns;
    },
    components: async (projectId) =>
      await client.request(
        {
          method: "GET",
          path: writePaths.components(projectId),
          about: "the components",
          endpoint: "project",
        },
        z.array(named),
      ),
    createComponent: async (projectKey, { name, description }) => {
      const body = { project: projectKey, name, ...(description !== null && { description }) };
      const call = {
        path: writePaths.component,
        body,
        about: `the component ${name}`,
        endpoint: "project",
      } as const;
      return await client.request({ ...call, method: "POST" }, named);
    },
    versions: async (projectId) =>
      await client.request(
        { method: "GET", path: writePaths.versions(projectId), about: "the versions", endpoint: "project" },
        z.array(named),
      ),
    createVersion: async (projectId, version) => {
      const body = { projectId: Number(projectId), ...withoutNulls(version) };
      const call = {
        path: writePaths.version,
        body,
        about: `the version ${version.name}`,
        endpoint: "project",
      } as const;
      return await client.request({ ...call, method: "POST" }, named);
    },
    workflow: async (projectId, issueTypeId) => {
      const body = { projectAndIssueTypes: [{ projectId, issueTypeId }] };
      const call = { path: paths.workflows, body, about: "the workflow", endpoint: "configuration" } as const;
      try {
        const answer = await client.request({ ...call, method: "POST", isRepeatable: true }, workflows);
        return workflowOf(answer);
      } catch (error) {
        if (isRefused(error)) return null;
        throw error;
      }
    },
    activePeople: async (accountIds) => {
      const active = new Set<string>();
      for (let from = 0; from < accountIds.length; from += PEOPLE_PER_CALL) {
        const ids = accountIds.slice(from, from + PEOPLE_PER_CALL);
        const query = new URLSearchParams([
          ...ids.map((one) => ["accountId", one]),
          ["maxResults", String(PEOPLE_PER_CALL)],
        ]);
        const call = {
          method: "GET",
          path: `${writePaths.people}?${query}`,
          about: "the people",
          endpoint: "account",
        } as const;
        const person = z.object({ accountId: z.string(), active: z.boolean().catch(false) });
        const { values } = await client.request(call, z.object({ values: z.array(person) }));
        for (const one of values) if (one.active) active.add(one.accountId);
      }
      return active;
    },
    newestNumber: async ({ id: projectId }) => {
      const body = { jql: `project = ${projectId} ORDER BY key DESC`, fields: ["key"], maxResults: 1 };
      const call = { path: paths.search, body, about: "the newest issue", endpoint: "search" } as const;
      const form = z.object({ issues: z.array(made) });
      const { issues } = await client.request({ ...call, method: "POST", isRepeatable: true }, form, () => 1);
      return Number(issues[0]?.key.split("-").at(-1) ?? 0);
    },
    issues: async (keys) => {
      const body = { issueIdsOrKeys: keys, fields: FOUND_FIELDS, properties: [MARK_PROPERTY] };
      const call = {
        path: writePaths.fetchIssues,
        body,
        about: "the restored issues",
        endpoint: "issue",
      } as const;
      const form = z.object({ issues: z.array(foundIssue) });
      const { issues } = await client.request(
        { ...call, method: "POST", isRepeatable: true },
        form,
        (answer) => answer.issues.length,
      );
      return issues.map(({ fields, properties, ...issue }) => ({
        ...issue,
        summary: fields.summary ?? "",
        statusId: fields.status?.id ?? "",
        typeName: fields.issuetype?.name ?? "",
        resolution: fields.resolution?.name ?? null,
        attachments: fields.attachment,
        comments: fields.comment?.total ?? null,
        mark: properties?.[MARK_PROPERTY] ?? null,
      }));
    },
    createIssues: async (issues) => {
      const call = { path: writePaths.issues, about: "the restored issues", endpoint: "issue" } as const;
      const body = { issueUpdates: issues };
      const { issues: done, errors } = await client
        .request({ ...call, method: "POST", body }, bulkAnswer, (answer) => answer.issues.length)
        .catch((error: unknown) => {
          if (!isRefused(error)) throw error;
          // Jira made none of them.
          const elementErrors = { errorMessages: [error.message], errors: null };
          return {
            issues: [],
            errors: issues.map((_, index) => ({ failedElementNumber: index, elementErrors })),
          };
        });
      const refused = new Map(
        errors.map(({ failedElementNumber, elementErrors }) => [failedElementNumber, elementErrors]),
      );
      const left = [...done];
      return issues.map((_, index): Creation => {
        const problem = refused.get(index);
        const next = problem === undefined ? left.shift() : undefined;
        return next ? { type: "made", ...next } : refusalOf(problem ?? { errorMessages: [], errors: null });
      });
    },
    createIssue: async (issue) => {
      const call = {
        path: writePaths.issue,
        body: issue,
        about: "the restored issue",
        endpoint: "issue",
      } as const;
      try {
        return { type: "made", ...(await client.request({ ...call, method: "POST" }, made, () => 1)) };
      } catch (error) {
        if (!isRefused(error)) throw error;
        return { type: "refused", reason: error.message, fields: namedFields(error.message, issue) };
      }
    },
    editIssue: async (key, fields) =>
      await send({
        ...{ method: "PUT", path: paths.issue(key), query: { notifyUsers: "false" }, body: { fields } },
        ...{ about: `the issue ${key}`, endpoint: "issue" },
      }),
    transitions: async (key) => {
      const call = {
        method: "GET",
        path: writePaths.transitions(key),
        about: `the issue ${key}`,
        endpoint: "issue",
      } as const;
      const form = z.object({ transitions: z.array(z.object({ id, to: z.object({ id }) })) });
      const { transitions } = await client.request(call, form);
      return transitions.map((one) => ({ id: one.id, to: one.to.id }));
    },
    transitionFields: async (key, transitionId) => {
      const query = { transitionId, expand: "transitions.fields" };
      const call = { path: writePaths.transitions(key), query, about: `the issue ${key}` } as const;
      const form = z.object({ transitions: z.array(transitionScreen) });
      const { transitions } = await client.request({ ...call, method: "GET", endpoint: "issue" }, form);
      const screen = transitions.find((one) => one.id === transitionId);
      return Object.entries(screen?.fields ?? {}).map(([fieldId, field]) => ({ fieldId, ...field }));
    },
    transition: async (key, transitionId, fields) =>
      await send({
        ...{ method: "POST", path: writePaths.transitions(key) },
        ...{ body: { transition: { id: transitionId }, fields } },
        ...{ about: `the status of ${key}`, endpoint: "issue" },
      }),
    comments: async (key) => {
      const call = {
        method: "GET",
        path: paths.comments(key),
        about: `comments of ${key}`,
        endpoint: "issue",
      } as const;
      const found = await all(
        call,
        "comments",
        z.object({ id, body: adf, jsdPublic: z.boolean().nullish() }),
      );
      return found.map(({ jsdPublic, ...one }) => ({
        ...one,
        started: null,
        seconds: 0,
        isPublic: jsdPublic ?? true,
      }));
    },
    addComment: async (key, { body, visibility, isInternal }) => {
      // The documentation names no way that is sure; the answer tells whether one worked.
      const internal = {
        jsdPublic: false,
        properties: [{ key: "sd.public.comment", value: { internal: true } }],
      };
      const comment = { body, ...restricted(visibility), ...(isInternal && internal) };
      const call = {
        path: paths.comments(key),
        body: comment,
        about: `a comment of ${key}`,
        endpoint: "issue",
      } as const;
      const form = z.object({ id, jsdPublic: z.boolean().nullish() });
      const made = await client.request({ ...call, method: "POST" }, form, () => 1);
      return { id: made.id, isPublic: made.jsdPublic ?? true };
    },
    removeComment: async (key, commentId) =>
      await send({
        ...{ method: "DELETE", path: writePaths.comment(key, commentId) },
        ...{ about: `a comment of ${key}`, endpoint: "issue" },
      }),
    worklogs: async (key) => {
      const call = {
        method: "GET",
        path: paths.worklogs(key),
        about: `worklogs of ${key}`,
        endpoint: "issue",
      } as const;
      const form = z.object({ id, comment: adf, started: text, timeSpentSeconds: z.number().catch(0) });
      const found = await all(call, "worklogs", form);
      return found.map(({ comment, timeSpentSeconds, ...one }) => ({
        ...one,
        body: comment,
        seconds: timeSpentSeconds,
        isPublic: true,
      }));
    },
    addWorklog: async (key, { comment, started, seconds, visibility }) => {
      const body = { comment, started, timeSpentSeconds: seconds, ...restricted(visibility) };
      const query = { adjustEstimate: "leave", notifyUsers: "false" };
      const call = {
        path: paths.worklogs(key),
        query,
        body,
        about: `a worklog of ${key}`,
        endpoint: "issue",
      } as const;
      return await client.request({ ...call, method: "POST" }, z.object({ id }), () => 1);
    },
    linkIssues: async ({ typeName, from, to }) => {
      const body = { type: { name: typeName }, inwardIssue: { key: from }, outwardIssue: { key: to } };
      const about = `the link from ${from} to ${to}`;
      await send({
        method: "POST",
        path: writePaths.link,
        body,
        about,
        endpoint: "issue",
        isRepeatable: true,
      });
    },
    addRemoteLink: async (key, link) =>
      await send({
        ...{ method: "POST", path: paths.remoteLinks(key), body: link },
        ...{ about: `a web link of ${key}`, endpoint: "issue", isRepeatable: true },
      }),
    addWatcher: async (key, accountId) =>
      await send({
        // The body is the account id alone, as a JSON string.
        ...{ method: "POST", path: paths.watchers(key), body: Object(accountId) as object },
        ...{ about: `watchers of ${key}`, endpoint: "issue", isRepeatable: true },
      }),
    sprints: (boardId) =>
      all(
        {
          method: "GET",
          path: paths.sprints(boardId),
          query: { state: "future,active" },
          about: "the sprints",
          endpoint: "agile",
        },
        "values",
        named.extend({ state: z.string(), goal: text }),
      ),
    createSprint: async ({ boardId, ...sprint }) => {
      const body = { originBoardId: Number(boardId), ...withoutNulls(sprint) };
      const call = {
        path: writePaths.sprint,
        body,
        about: `the sprint ${sprint.name}`,
        endpoint: "agile",
      } as const;
      return await client.request({ ...call, method: "POST" }, z.object({ id }));
    },
    moveToSprint: async (sprintId, keys) =>
      await send({
        ...{ method: "POST", path: writePaths.sprintIssues(sprintId), body: { issues: keys } },
        ...{ about: "the issues of a sprint", endpoint: "agile", isRepeatable: true },
      }),
    rankAfter: async (keys, after) =>
      await send({
        ...{ method: "PUT", path: writePaths.rank, body: { issues: keys, rankAfterIssue: after } },
        ...{ about: "the order of issues", endpoint: "agile" },
      }),
  };
}

function levelOf({ name, subtask }: { name: string; subtask: boolean }): number {
  if (subtask) return -1;
  return /^epic$/i.test(name) ? 1 : 0;
}

function withoutNulls(fields: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** The graph of the only workflow in an answer. References to statuses are ids or names of their own. */
function workflowOf({ statuses, workflows: [found] }: z.output<typeof workflows>) {
  if (found === undefined) return null;
  const idOf = (reference: string | null) =>
    statuses.find(({ statusReference }) => statusReference === reference)?.id ?? reference ?? "";
  const initial = found.transitions.find(({ type }) => type === "INITIAL");
  const edges = found.transitions
    .filter(({ type }) => type !== "INITIAL")
    .map(({ id: edgeId, type, links, toStatusReference }) => ({
      id: edgeId,
      from: type === "GLOBAL" ? [] : links.map(({ fromStatusReference }) => idOf(fromStatusReference)),
      to: idOf(toStatusReference),
    }));
  return { initial: initial ? idOf(initial.toStatusReference) : null, edges };
}

/** Whether Jira refused for good, so that nothing was done. */
export function isRefused(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && ["forbidden", "gone", "unsupported"].includes(error.kind);
}

function refusalOf({ errorMessages, errors }: z.output<typeof problems>): Creation {
  const fields = Object.keys(errors ?? {});
  const words = [
    ...errorMessages,
    ...Object.entries(errors ?? {}).map(([field, said]) => `${field}: ${said}`),
  ];
  return { type: "refused", reason: words.join(" ") || "Jira refuses it.", fields };
}

/** The fields of an issue that a message names as `field: …`. */
function namedFields(message: string, { fields }: NewIssue): string[] {
  return Object.keys(fields).filter((field) => message.includes(`${field}: `));
}
