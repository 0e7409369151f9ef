import { z } from "zod";
import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { readSetting } from "./read-setting.ts";

const NAMES_SHOWN = 20;
const membersSchema = z.array(z.looseObject({ username: z.string() }));
const variablesSchema = z.array(z.looseObject({ key: z.string() }));
const hooksSchema = z.array(z.looseObject({ url: z.string() }));
const schedulesSchema = z.array(z.looseObject({ description: z.string() }));
const keysSchema = z.array(z.looseObject({ title: z.string() }));

/** Report lines for what only the owner can restore by hand. */
export async function* reportKept({
  snapshot,
  session,
}: {
  snapshot: SnapshotView;
  session: Pick<Session, "accountName">;
}): AsyncGenerator<RestoreEvent> {
  const members = (await readSetting(snapshot, recordPaths.members, membersSchema))
    .map(({ username }) => username)
    .filter((username) => username !== session.accountName);
  const inviting = "A restore invites nobody. Invite them under Manage, Members.";
  if (members.length > 0) yield impossible("Members", members, inviting);
  const variables = (await readSetting(snapshot, recordPaths.variables, variablesSchema)).map(
    ({ key }) => key,
  );
  const entering = "Values are never part of a backup. Enter them again under Settings, CI/CD, Variables.";
  if (variables.length > 0) yield impossible("CI/CD variables", variables, entering);
  const hooks = (await readSetting(snapshot, recordPaths.hooks, hooksSchema)).map(({ url }) => url);
  const adding =
    "Their secrets cannot be read, and what they call must not hear of a restore. Add them under Settings, Webhooks.";
  if (hooks.length > 0) yield impossible("Webhooks", hooks, adding);
  const schedules = (await readSetting(snapshot, recordPaths.schedules, schedulesSchema)).map(
    ({ description }) => description,
  );
  const starting =
    "A restore starts nothing by itself, and the values of their variables cannot be read. Add them under Build, Pipeline schedules.";
  if (schedules.length > 0) yield impossible("Pipeline schedules", schedules, starting);
  const keys = (await readSetting(snapshot, recordPaths.deployKeys, keysSchema)).map(({ title }) => title);
  const admitting = "A restore gives nobody access. Add them under Settings, Repository, Deploy keys.";
  if (keys.length > 0) yield impossible("Deploy keys", keys, admitting);
}

function impossible(kind: string, names: readonly string[], reason: string): RestoreEvent {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : "";
  return { type: "impossible", what: `${kind}: ${names.slice(0, NAMES_SHOWN).join(", ")}${more}`, reason };
}
