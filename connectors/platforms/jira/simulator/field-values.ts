import { problemOf } from "./documents.ts";
import { kindOf } from "./field-kinds.ts";
import type { Field, FieldValue, Issue, JiraWorld, Project, Site } from "./state.ts";
import { findIssue, findProject, personOf, schemeOf } from "./store.ts";
import { readDate, readDuration, readJiraTime } from "./times.ts";

/** What reading a value needs to know. */
export type Setting = {
  world: JiraWorld;
  site: Site;
  project: Project;
  typeLevel: number;
  issue: Issue | null;
};

/** A value that a field does not take; the message is Jira's. */
export class WrongValue extends Error {}

/**
 * Reads a value as the API takes it, and returns what is stored. Null clears the field.
 * @throws WrongValue
 */
export function readValue(setting: Setting, field: Field, input: unknown): FieldValue {
  if (input === null) return null;
  const { world, site, project } = setting;
  switch (kindOf(field)) {
    case "string": {
      const text = expectString(input);
      if (text.length > 255) throw new WrongValue(`${field.name} can't exceed 255 characters.`);
      if (field.id === "summary" && /[\r\n]/.test(text)) {
        throw new WrongValue("The summary is invalid because it contains newline characters.");
      }
      return text === "" ? null : text;
    }
    case "url": {
      const text = expectString(input);
      if (!URL.canParse(text)) throw new WrongValue(`Not a valid URL`);
      return text;
    }
    case "adf": {
      if (typeof input === "string") {
        throw new WrongValue(
          "Operation value must be an Atlassian Document (see the Atlassian Document Format)",
        );
      }
      const problem = problemOf(site, setting.issue, input);
      if (problem !== null) throw new WrongValue(problem);
      return input;
    }
    case "number":
      if (typeof input !== "number" || !Number.isFinite(input)) {
        throw new WrongValue("Operation value must be a number");
      }
      return input;
    case "date": {
      const date = readDate(input);
      if (date === null) throw new WrongValue("Error parsing date: expected the form yyyy-MM-dd");
      return date;
    }
    case "datetime": {
      const at = readJiraTime(input);
      if (at === null) {
        throw new WrongValue("Error parsing time: expected the form yyyy-MM-dd'T'HH:mm:ss.SSSZ");
      }
      return at;
    }
    case "option":
      return readOption(field, input, null);
    case "options":
      return expectArray(input).map((one) => readOption(field, one, null));
    case "cascade": {
      const parentId = readOption(field, input, null);
      const child = (input as { child?: unknown }).child ?? null;
      return { parentId, childId: child === null ? null : readOption(field, child, parentId) };
    }
    case "user":
      return readUser(setting, field, input);
    case "users":
      return expectArray(input).map((one) => readUser(setting, field, one));
    case "group":
      return readGroup(site, input);
    case "groups":
      return expectArray(input).map((one) => readGroup(site, one));
    case "labels":
      return [...new Set(expectArray(input).map(readLabel))];
    case "project": {
      const found = findProject(site, nameOf(input, ["id", "key"]));
      if (!found) throw new WrongValue("Could not find a valid project");
      return found.id;
    }
    case "version":
      return readNamed(project.versions, input, "Version");
    case "versions":
      return expectArray(input).map((one) => readNamed(project.versions, one, "Version"));
    case "components":
      return expectArray(input).map((one) => readNamed(project.components, one, "Component"));
    case "priority":
      return readNamed(
        site.priorities.filter(({ id }) => schemeOf(site, project, "priority")?.ids?.includes(id) ?? true),
        input,
        "Priority",
      );
    case "resolution":
      return readNamed(site.resolutions, input, "Resolution");
    case "security":
      return readNamed(schemeOf(site, project, "security")?.levels ?? [], input, "Security level");
    case "parent":
      return readParent(setting, input);
    case "timetracking":
      return readTimeTracking(input);
    case "sprint":
      return readSprint(site, input);
    case "team":
      return expectString(input);
    case "epic-link": {
      const epic = findIssue(world, site, expectString(input));
      if (!epic) throw new WrongValue("Issue does not exist or you do not have permission to see it.");
      return epic.id;
    }
    case "rank":
    case "derived":
      throw new WrongValue(`Field '${field.id}' cannot be set.`);
  }
}

function expectString(input: unknown): string {
  if (typeof input !== "string") throw new WrongValue("Operation value must be a string");
  return input;
}

function expectArray(input: unknown): unknown[] {
  if (!Array.isArray(input)) throw new WrongValue("data was not an array");
  return input;
}

function nameOf(input: unknown, names: readonly string[]): string {
  if (input === null || typeof input !== "object") throw new WrongValue("data was not an object");
  for (const name of names) {
    const value = (input as Record<string, unknown>)[name];
    if (typeof value === "string" && value !== "") return value;
  }
  throw new WrongValue(`expected '${names[0]}' property to be a string`);
}

function readNamed(list: readonly { id: string; name: string }[], input: unknown, what: string): string {
  const key = nameOf(input, ["id", "name"]);
  const isById = typeof (input as { id?: unknown }).id === "string";
  const found = list.find(({ id, name }) => (isById ? id : name) === key);
  if (!found) throw new WrongValue(`${what} ${isById ? "id" : "name"} '${key}' is not valid`);
  return found.id;
}

function readOption(field: Field, input: unknown, parentId: string | null): string {
  const key = nameOf(input, ["id", "value"]);
  const isById = typeof (input as { id?: unknown }).id === "string";
  const found = field.options.find(
    (option) => option.parentId === parentId && (isById ? option.id : option.value) === key,
  );
  if (!found) throw new WrongValue(`Option ${isById ? "id" : "value"} '${key}' is not valid`);
  if (found.isDisabled) throw new WrongValue(`Option '${found.value}' is disabled`);
  return found.id;
}

function readUser({ world, site }: Setting, field: Field, input: unknown): string {
  // Names and keys of users are gone since the privacy changes of 2019: only account ids are read.
  const accountId = nameOf(input, ["accountId", "id"]);
  const person = personOf(world, accountId);
  const isMember = site.members.some((member) => member.accountId === accountId);
  if (isMember && person.isActive) return accountId;
  if (field.id === "assignee") throw new WrongValue(`User '${accountId}' cannot be assigned work items.`);
  if (field.id === "reporter") throw new WrongValue("The reporter specified is not a user.");
  throw new WrongValue(`Specify a valid 'id' or 'name' for User`);
}

function readGroup(site: Site, input: unknown): string {
  const key = nameOf(input, ["groupId", "name"]);
  const found = site.groups.find(({ id, name }) => id === key || name === key);
  if (!found) throw new WrongValue(`Could not find group with name '${key}'`);
  return found.id;
}

function readLabel(input: unknown): string {
  const label = expectString(input);
  if (/\s/.test(label)) throw new WrongValue(`The label '${label}' contains spaces which is invalid.`);
  if (label.length > 255) throw new WrongValue(`The label '${label}' exceeds the maximum length of 255`);
  return label;
}

function readParent({ world, site, project, typeLevel, issue }: Setting, input: unknown): string {
  const found = findIssue(world, site, nameOf(input, ["id", "key"]));
  if (!found) throw new WrongValue("Could not find issue by id or key.");
  const level = site.issueTypes.find(({ id }) => id === found.typeId)?.level ?? 0;
  if (level !== typeLevel + 1) {
    throw new WrongValue("Given parent work item does not belong to appropriate hierarchy.");
  }
  const isSameProject = found.projectId === project.id;
  if (typeLevel === -1 && !isSameProject) {
    throw new WrongValue("Parent and child work items must be in the same project.");
  }
  if (found === issue) throw new WrongValue("A work item cannot be its own parent.");
  return found.id;
}

function readTimeTracking(input: unknown): { original: number | null; remaining: number | null } {
  if (typeof input !== "object") throw new WrongValue("data was not an object");
  const { originalEstimate, remainingEstimate } = input as Record<string, unknown>;
  const read = (value: unknown) => {
    if (value === undefined || value === null) return null;
    const seconds = readDuration(value);
    if (seconds === null) throw new WrongValue(`'${String(value)}' is not a valid time`);
    return seconds;
  };
  const original = read(originalEstimate);
  return { original, remaining: read(remainingEstimate) ?? original };
}

/** The sprint field takes the number of one sprint. A closed sprint takes no issues. */
function readSprint(site: Site, input: unknown): string[] {
  if (typeof input !== "number") throw new WrongValue("Number value expected as the Sprint id.");
  const sprint = site.sprints.find(({ id }) => id === String(input));
  if (!sprint || sprint.state === "closed") throw new WrongValue("Sprint is not open or does not exist.");
  return [sprint.id];
}
