import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { NewTarget, RestoreJournal, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { createOnce, freeNames } from "#connectors/toolkit/records/create-once.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import type { ProjectRecord } from "../record-types.ts";
import type { Answers } from "./answers.ts";
import { LONGEST_KEY } from "./answers.ts";
import type { JiraCalls, SiteProject } from "./jira-calls.ts";
import { templateKeyOf } from "./templates.ts";
import type { VersionFrame } from "./version-frame.ts";

/** Jira refuses longer names of projects. */
const LONGEST_NAME = 80;

export type TargetProject = SiteProject & { isNew: boolean; url: string };

type Deps = { calls: JiraCalls; journal: RestoreJournal; frame: VersionFrame; answers: Answers };

/** The project that a restore fills: the chosen one, or a new one. @throws ConnectorError `gone` when it was deleted */
export async function openTarget(
  deps: Deps,
  { target }: Pick<RestoreOrder, "target">,
  account: { accountId: string; siteUrl: string },
): Promise<TargetProject> {
  const project =
    target.kind === "existing"
      ? await deps.calls.project(target.item.externalId)
      : await newProject(deps, target, account);
  return { ...project, isNew: target.kind === "new", url: pageOf(account.siteUrl, project.key) };
}

/** The page of a project or an issue. */
export function pageOf(siteUrl: string, key: string): string {
  return `${siteUrl}/browse/${encodeURIComponent(key)}`;
}

async function newProject(
  { calls, journal, frame, answers }: Deps,
  { name }: NewTarget,
  { accountId, siteUrl }: { accountId: string; siteUrl: string },
): Promise<SiteProject> {
  const templateKey = templateKeyOf(frame, answers.template);
  const created = await createOnce<SiteProject>(journal, {
    kind: "project",
    sourceId: frame.project.id,
    names: freeNames(name, LONGEST_NAME),
    itemOf: (project) => ({
      externalId: project.id,
      name: project.name,
      fullName: fullNameOf(project),
      webUrl: pageOf(siteUrl, project.key),
    }),
    get: ({ externalId }) => calls.project(externalId),
    // Keys of projects are unique, so the journaled key tells ours from another project of the same name.
    create: async (wanted) => {
      const key = await calls.freeKey(wantedKey(answers.key, frame.project));
      await journal.record(keyNote(wanted), key);
      const typeKey = frame.project.projectTypeKey;
      const description = frame.project.description ?? "";
      const order = { key, name: wanted, description, typeKey, templateKey, leadId: accountId };
      const { id } = await calls.createProject(order);
      return await calls.project(id);
    },
    find: async (wanted, mark) => {
      const found = (await calls.findProjects(wanted)).find((project) => project.name === wanted);
      if (found === undefined) throw new ConnectorError("gone", "There is no project of this name.");
      const isOurs = found.key === (await readNote(journal, keyNote(wanted), z.string()));
      return { ...found, description: isOurs ? mark : null };
    },
    isTaken: ({ message }) => /name (already|is already)|already (exists|in use|used)/i.test(message),
  });
  return await calls.project(created.externalId);
}

const keyNote = (name: string) => `key of ${name}`;

/** The name of a project in lists: `KEY · Name`. */
export function fullNameOf({ key, name }: Pick<SiteProject, "key" | "name">): string {
  return `${key} · ${name}`;
}

/** The chosen key, else the key of the original with an R for "restored". Jira replaces one that is not free. */
export function wantedKey(chosen: string, { key }: Pick<ProjectRecord, "key">): string {
  const clean = chosen
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "");
  if (/^[A-Z][A-Z0-9]+$/.test(clean)) return clean.slice(0, LONGEST_KEY);
  return `${key.slice(0, LONGEST_KEY - 1)}R`;
}
