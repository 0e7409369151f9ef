import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import {
  type BackupPart,
  isOutOfReach,
  mayGoWithout,
  type PartsRun,
} from "#connectors/toolkit/records/run-parts.ts";
import { pickJson, tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { recordForm } from "./record-form.ts";
import { recordPaths } from "./record-paths.ts";
import { openRepository, type RepositoryRun } from "./repository-run.ts";

/** One group of settings: what people call it, and how it is read. */
type Setting = { name: string; title: string; read: (repository: RepositoryRun) => Promise<Json> };

const thing = z.looseObject({});
const SETTINGS: readonly Setting[] = [
  { name: "branch-protection", title: "Branch protection", read: readProtection },
  { name: "rulesets", title: "Rulesets", read: readRulesets },
  { name: "webhooks", title: "Webhooks", read: readWebhooks },
  { name: "secret-names", title: "Names of secrets", read: readSecretNames },
  { name: "variables", title: "Names of variables", read: readVariableNames },
  { name: "collaborators", title: "Collaborators", read: readCollaborators },
  { name: "environments", title: "Environments", read: readEnvironments },
];

/** Settings of the repository, each a record of its own. What we have no right to see is told, one by one. */
export const settingsPart: BackupPart = {
  id: "settings",
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
  run: PartsRun,
  { name, title, read }: Setting,
): AsyncGenerator<BackupEvent, void> {
  const path = recordPaths.setting(name);
  try {
    yield { type: "record", path, kind: "setting", title, value: await read(openRepository(run)) };
  } catch (error) {
    if (!mayGoWithout(run, error)) throw error;
    const isHeld = Boolean(await run.order.previous?.find(path));
    if (isHeld) yield { type: "keep", path };
    const kept = isHeld ? " What the previous version holds is kept." : "";
    yield { type: "skipped", path, kind: "setting", reason: `${error.message}${kept}` };
  }
}

async function readProtection(repository: RepositoryRun): Promise<Json> {
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
      // A branch that only a ruleset protects has no protection of its own.
      if (!isOutOfReach(error) || error.status !== 404) throw error;
    }
  }
  return protections;
}

async function readRulesets(repository: RepositoryRun): Promise<Json> {
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

/** A webhook's secret is the receiver's; GitHub masks it, and it is left out altogether. */
async function readWebhooks(repository: RepositoryRun): Promise<Json> {
  const webhooks = await listAll(repository, repository.get("/hooks", "the webhooks"), (hook) => hook);
  return webhooks.map((hook) => {
    const facts = pickJson(hook, ["id", "name", "active", "events", "config", "created_at", "updated_at"]);
    return tidyJson(facts, (key, value) => (key === "secret" || key === "token" ? undefined : value));
  });
}

async function readSecretNames(repository: RepositoryRun): Promise<Json> {
  const [actions, dependabot] = [
    await readNames(repository, "/actions/secrets", "secrets"),
    await readNames(repository, "/dependabot/secrets", "secrets").catch(emptyWhenOutOfReach),
  ];
  return { actions, dependabot };
}

async function readVariableNames(repository: RepositoryRun): Promise<Json> {
  return { actions: await readNames(repository, "/actions/variables", "variables") };
}

async function readCollaborators(repository: RepositoryRun): Promise<Json> {
  const call = repository.get("/collaborators", "the collaborators", { affiliation: "direct" });
  return listAll(repository, call, (person) =>
    pickJson(person, ["login", "id", "node_id", "type", "role_name", "permissions"]),
  );
}

/** Environments with their rules; of their secrets and variables the names. */
async function readEnvironments(repository: RepositoryRun): Promise<Json> {
  const call = repository.get("/environments", "the environments");
  const environments = await listAll(repository, call, (one) => one, "environments");
  const records: Json[] = [];
  for (const environment of environments) {
    const path = `/environments/${encodeURIComponent(String(environment.name))}`;
    const secretNames = await readNames(repository, `${path}/secrets`, "secrets").catch(emptyWhenOutOfReach);
    const variableNames = await readNames(repository, `${path}/variables`, "variables").catch(
      emptyWhenOutOfReach,
    );
    records.push({ ...(recordForm(environment) as { [key: string]: Json }), secretNames, variableNames });
  }
  return records;
}

async function readNames(repository: RepositoryRun, path: string, member: string): Promise<Json[]> {
  const call = repository.get(path, `the ${member}`);
  return listAll(repository, call, (one) => pickJson(one, ["name", "created_at", "updated_at"]), member);
}

/** Every member of a list, of the plain form or below a name. */
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

function emptyWhenOutOfReach(error: unknown): Json[] {
  if (isOutOfReach(error)) return [];
  throw error;
}
