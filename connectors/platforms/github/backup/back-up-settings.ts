import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { BackupEvent, Session } from "#connectors/contract/platform-connector.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import {
  type BackupStage,
  isOutOfReach,
  mayGoWithout,
  type StagesRun,
} from "#connectors/toolkit/records/run-stages.ts";
import { pickJson, tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { askGraphql, nodesOf, pageInfo } from "../graphql.ts";
import { recordForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { openRepository, type RepositoryRun } from "./repository-run.ts";

/** One group of settings: its title on screens, and how it is read. */
type Setting = {
  name: string;
  title: string;
  read: (reading: Reading) => Promise<Json>;
};
/** A piece of a group that could not be read. `name` is unique within the group. */
type Unread = { name: string; reason: string };
/** What a group is read with. */
type Reading = {
  session: Session;
  repository: RepositoryRun;
  /**
   * Reads a piece of a group, e.g. the names of one environment's secrets. If the snapshot can do without the piece, it
   * is listed as skipped under its name and its value is null. An empty list would mean that nothing exists.
   */
  piece: <T>(name: string, read: () => Promise<T>) => Promise<T | null>;
};

const thing = z.looseObject({});
const SETTINGS: readonly Setting[] = [
  { name: "branch-protection", title: "Branch protection", read: readProtection },
  { name: "rulesets", title: "Rulesets", read: readRulesets },
  { name: "webhooks", title: "Webhooks", read: readWebhooks },
  { name: "secret-names", title: "Names of secrets", read: readSecretNames },
  { name: "variables", title: "Names of variables", read: readVariableNames },
  { name: "collaborators", title: "Collaborators", read: readCollaborators },
  { name: "environments", title: "Environments", read: readEnvironments },
  { name: "branch-protection-rules", title: "Rules by pattern", read: readRules },
  { name: "deploy-keys", title: "Deploy keys", read: readDeployKeys },
  { name: "autolinks", title: "Autolinks", read: readAutolinks },
];

/**
 * Settings of the repository, one record per group. Groups that we may not read are listed as skipped. GitHub does not say
 * when they change, so they are read once a week.
 */
export const settingsStage: BackupStage = {
  id: "settings",
  rests: { prefixes: [recordPaths.settings] },
  async *run(run, cursor) {
    const from = readCursor(z.int(), cursor) ?? 0;
    for (const [index, setting] of SETTINGS.entries()) {
      if (index < from) continue;
      yield* settingRecord(run, setting);
      yield { type: "checkpoint", cursor: index + 1 };
    }
  },
};

async function* settingRecord(
  run: StagesRun,
  { name, title, read }: Setting,
): AsyncGenerator<BackupEvent, void> {
  const path = recordPaths.setting(name);
  const unread: Unread[] = [];
  const piece: Reading["piece"] = async (pieceName, readPiece) => {
    try {
      return await readPiece();
    } catch (error) {
      if (!mayGoWithout(run, error)) throw error;
      unread.push({ name: pieceName, reason: error.message });
      return null;
    }
  };
  try {
    const value = await read({ session: run.session, repository: openRepository(run), piece });
    yield { type: "record", path, kind: "setting", title, value };
    for (const { name: lost, reason } of unread) {
      yield { type: "skipped", path: `${path}#${lost}`, kind: "setting", reason };
    }
  } catch (error) {
    if (!mayGoWithout(run, error)) throw error;
    const isHeld = Boolean(await run.order.previous?.find(path));
    if (isHeld) yield { type: "keep", path };
    const kept = isHeld ? " What the previous version holds is kept." : "";
    yield { type: "skipped", path, kind: "setting", reason: `${error.message}${kept}` };
  }
}

async function readProtection({ repository }: Reading): Promise<Json> {
  const call = repository.get("/branches", "the protected branches", { protected: "true" });
  const names = await listAll(repository, call, (branch) => String(branch.name));
  const protections: { [branch: string]: Json } = {};
  for (const name of names) {
    const path = `/branches/${encodeURIComponent(name)}/protection`;
    try {
      const about = `the protection of the branch ${name}`;
      protections[name] = recordForm(
        (await repository.client.request(repository.getOne(path, about), thing)) as Json,
      );
    } catch (error) {
      // A branch that only a ruleset protects has no branch protection.
      if (!isOutOfReach(error) || error.status !== 404) throw error;
    }
  }
  return protections;
}

async function readRulesets({ repository }: Reading): Promise<Json> {
  const { client, get, getOne } = repository;
  const ids = await listAll(repository, get("/rulesets", "the rulesets"), (ruleset) => String(ruleset.id));
  const rulesets: Json[] = [];
  for (const id of ids) {
    const ruleset = await client.request(
      getOne(`/rulesets/${encodeURIComponent(id)}`, `ruleset ${id}`),
      thing,
    );
    const { current_user_can_bypass: _, ...facts } = ruleset as { [key: string]: Json };
    rulesets.push(recordForm(facts));
  }
  return rulesets;
}

/** Reads the webhooks without their secrets. GitHub masks the secrets, and they belong to the receiver. */
async function readWebhooks({ repository }: Reading): Promise<Json> {
  const webhooks = await listAll(repository, repository.get("/hooks", "the webhooks"), (hook) => hook);
  return webhooks.map((hook) => {
    const facts = pickJson(hook, ["id", "name", "active", "events", "config", "created_at", "updated_at"]);
    return tidyJson(facts, (key, value) => (key === "secret" || key === "token" ? undefined : value));
  });
}

async function readSecretNames({ repository, piece }: Reading): Promise<Json> {
  const namesOf = (path: string, what: string) => () => readNames(repository, path, "secrets", what);
  return {
    actions: await piece("actions", namesOf("/actions/secrets", "the secrets of Actions")),
    dependabot: await piece("dependabot", namesOf("/dependabot/secrets", "the secrets of Dependabot")),
  };
}

async function readVariableNames({ repository }: Reading): Promise<Json> {
  return { actions: await readNames(repository, "/actions/variables", "variables") };
}

async function readCollaborators({ repository }: Reading): Promise<Json> {
  const call = repository.get("/collaborators", "the collaborators", { affiliation: "direct" });
  return listAll(repository, call, (person) =>
    pickJson(person, ["login", "id", "node_id", "type", "role_name", "permissions"]),
  );
}

/** Reads the environments with their rules, and the names of their secrets and variables. */
async function readEnvironments({ repository, piece }: Reading): Promise<Json> {
  const call = repository.get("/environments", "the environments");
  const environments = await listAll(repository, call, (one) => one, "environments");
  const records: Json[] = [];
  for (const environment of environments) {
    const name = String(environment.name);
    const path = `/environments/${encodeURIComponent(name)}`;
    const namesOf = (list: "secrets" | "variables") =>
      piece(`${name}/${list}`, () =>
        readNames(repository, `${path}/${list}`, list, `the ${list} of the environment ${name}`),
      );
    const secretNames = await namesOf("secrets");
    const variableNames = await namesOf("variables");
    records.push({ ...(recordForm(environment) as { [key: string]: Json }), secretNames, variableNames });
  }
  return records;
}

const RULES = `query ProtectionRules($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    viewerCanAdminister
    branchProtectionRules(first: 100, after: $after) {
      nodes {
        pattern
        allowsDeletions
        allowsForcePushes
        blocksCreations
        dismissesStaleReviews
        isAdminEnforced
        lockBranch
        requiredApprovingReviewCount
        requiredStatusCheckContexts
        requiresApprovingReviews
        requiresCodeOwnerReviews
        requiresCommitSignatures
        requiresConversationResolution
        requiresLinearHistory
        requiresStatusChecks
        requiresStrictStatusChecks
        restrictsPushes
        restrictsReviewDismissals
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;
const rulesSchema = z.object({
  repository: z.object({
    viewerCanAdminister: z.boolean(),
    branchProtectionRules: z.object({ nodes: nodesOf(z.looseObject({ pattern: z.string() })), pageInfo }),
  }),
});

/** Reads the classic rules with their patterns. REST shows a rule only by the branches that exist and match it. */
async function readRules({ session, repository }: Reading): Promise<Json> {
  const { owner, name, fullName } = repository;
  const rules: Json[] = [];
  for (let after: string | null = null; ; ) {
    const question = { document: RULES, variables: { owner, name, after }, schema: rulesSchema };
    const about = `the rules for branches of ${fullName}`;
    const answer: z.output<typeof rulesSchema> = await askGraphql(session, { ...question, about });
    // Nothing proves that GitHub refuses others instead of showing them no rules.
    if (!answer.repository.viewerCanAdminister)
      throw new ConnectorError("forbidden", "GitHub shows rules with their patterns to administrators only.");
    const { nodes, pageInfo } = answer.repository.branchProtectionRules;
    rules.push(...(nodes as Json[]));
    after = pageInfo.endCursor ?? null;
    if (!pageInfo.hasNextPage || after === null) return rules;
  }
}

/** Reads the public keys that may read or push. When one was used last is left out. */
async function readDeployKeys({ repository }: Reading): Promise<Json> {
  return listAll(repository, repository.get("/keys", "the deploy keys"), (key) =>
    pickJson(key, ["id", "title", "key", "read_only", "verified", "added_by", "created_at"]),
  );
}

/** Reads the autolinks, of which GitHub gives one page (OpenAPI document). */
async function readAutolinks({ repository }: Reading): Promise<Json> {
  const { client, getOne } = repository;
  const links = await client.request(getOne("/autolinks", "the autolinks"), z.array(thing));
  return links.map((one) =>
    pickJson(one as { [key: string]: Json }, ["id", "key_prefix", "url_template", "is_alphanumeric"]),
  );
}

async function readNames(
  repository: RepositoryRun,
  path: string,
  member: string,
  what = `the ${member}`,
): Promise<Json[]> {
  const call = repository.get(path, what);
  return listAll(repository, call, (one) => pickJson(one, ["name", "created_at", "updated_at"]), member);
}

/** Reads every member of a list, which is a plain array or is wrapped in an object under `member`. */
async function listAll<T>(
  { client }: RepositoryRun,
  call: Parameters<typeof readPages>[1],
  form: (member: { [key: string]: Json }) => T,
  member?: string,
): Promise<T[]> {
  const list = z.array(thing);
  const schema =
    member === undefined ? list : z.object({ [member]: list }).transform((page) => page[member] ?? []);
  const all: T[] = [];
  for await (const page of readPages(client, call, schema)) {
    for (const one of page.members) all.push(form(one as { [key: string]: Json }));
  }
  return all;
}
