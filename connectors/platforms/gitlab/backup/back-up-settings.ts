import type { z } from "zod";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { gitlabClient, LARGEST_PAGE, paths } from "../client.ts";
import {
  badgesSchema,
  deployKeysSchema,
  hooksSchema,
  membersSchema,
  protectedBranchesSchema,
  protectedTagsSchema,
  schedulesSchema,
  variablesSchema,
} from "../payloads.ts";
import { recordForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";

/** Settings that only some roles may read. A setting that cannot be read is reported; the backup continues. */
export function settingStages(projectId: string): BackupStage[] {
  return [
    setting({
      id: "protected branches",
      entry: recordPaths.protectedBranches,
      path: paths.protectedBranches(projectId),
      schema: protectedBranchesSchema,
      keyOf: ({ name }) => name,
    }),
    setting({
      id: "members",
      entry: recordPaths.members,
      path: `${paths.members(projectId)}/all`,
      schema: membersSchema,
      keyOf: ({ username }) => username,
    }),
    setting({
      id: "variable names",
      entry: recordPaths.variables,
      path: paths.variables(projectId),
      schema: variablesSchema,
      keyOf: ({ key, environment_scope }) => `${key} ${environment_scope ?? ""}`,
    }),
    setting({
      id: "webhooks",
      entry: recordPaths.hooks,
      path: paths.hooks(projectId),
      schema: hooksSchema,
      keyOf: byId,
    }),
    setting({
      id: "protected tags",
      entry: recordPaths.protectedTags,
      path: paths.protectedTags(projectId),
      schema: protectedTagsSchema,
      keyOf: ({ name }) => name,
      isWeekly: true,
    }),
    setting({
      id: "pipeline schedules",
      entry: recordPaths.schedules,
      path: paths.schedules(projectId),
      schema: schedulesSchema,
      keyOf: byId,
      isWeekly: true,
    }),
    setting({
      id: "deploy keys",
      entry: recordPaths.deployKeys,
      path: paths.deployKeys(projectId),
      schema: deployKeysSchema,
      keyOf: byId,
      isWeekly: true,
    }),
    setting({
      id: "badges",
      entry: recordPaths.badges,
      path: paths.badges(projectId),
      schema: badgesSchema,
      keyOf: byId,
      isWeekly: true,
    }),
  ];
}

const byId = ({ id }: { id: number }) => String(id).padStart(12, "0");

function setting<T>(order: {
  id: string;
  entry: string;
  path: string;
  schema: z.ZodType<T[]>;
  keyOf: (member: T) => string;
  /** Read in full reads only, because it rarely changes and each setting costs a request. */
  isWeekly?: boolean;
}): BackupStage {
  const { id, entry, path, schema, keyOf, isWeekly = false } = order;
  return {
    id,
    optional: { kind: "setting", path: entry, prefixes: [entry] },
    async *run({ session, known, order: { previous } }) {
      if (isWeekly && known !== null && (await previous?.find(entry))) {
        yield { type: "keep", path: entry };
        return;
      }
      const query = { per_page: LARGEST_PAGE };
      const call = { method: "GET", path, query, about: `the ${id}`, missing: "forbidden" } as const;
      const members = new Map<string, T>();
      for await (const member of gitlabClient(session).members(call, schema, keyOf))
        members.set(keyOf(member), member);
      const value = [...members].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => recordForm(member));
      const title = id.replace(/^./, (letter) => letter.toUpperCase());
      yield { type: "record", path: entry, kind: "setting", title, value };
    },
  };
}
