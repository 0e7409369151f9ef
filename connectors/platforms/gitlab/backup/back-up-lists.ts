import type { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { padId } from "#connectors/toolkit/records/pad-id.ts";
import { readPages } from "#connectors/toolkit/records/read-pages.ts";
import type { BackupStage } from "#connectors/toolkit/records/run-stages.ts";
import { gitlabClient, LARGEST_PAGE, paths } from "../client.ts";
import { boardsSchema, labelsSchema, milestonesSchema, releasesSchema } from "../payloads.ts";
import { recordForm } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { backUpUploadLinks } from "./back-up-upload-links.ts";

/** A short list that every run reads in full, so deleted members drop out by themselves. */
type ShortList<T> = {
  id: string;
  kind: string;
  prefix: string;
  path: string;
  query?: Record<string, string>;
  schema: z.ZodType<T[]>;
  pathOf: (member: T) => string;
  titleOf: (member: T) => string;
  /** A text that may link to attached files. */
  textOf?: (member: T) => string | null | undefined;
};

/** Labels and milestones of a project and its groups, and the project's releases and boards. */
export function listStages(projectId: string): BackupStage[] {
  return [
    shortList(projectId, {
      id: "labels",
      kind: "label",
      prefix: recordPaths.labels,
      path: paths.labels(projectId),
      query: { include_ancestor_groups: "true" },
      schema: labelsSchema,
      pathOf: ({ id }) => `${recordPaths.labels}${padId(id)}.json`,
      titleOf: ({ name }) => name,
    }),
    shortList(projectId, {
      id: "milestones",
      kind: "milestone",
      prefix: recordPaths.milestones,
      path: paths.milestones(projectId),
      query: { include_ancestors: "true" },
      schema: milestonesSchema,
      pathOf: ({ id }) => `${recordPaths.milestones}${padId(id)}.json`,
      titleOf: ({ title }) => title,
      textOf: ({ description }) => description,
    }),
    shortList(projectId, {
      id: "releases",
      kind: "release",
      prefix: recordPaths.releases,
      path: paths.releases(projectId),
      schema: releasesSchema,
      pathOf: ({ tag_name }) => recordPaths.release(tag_name),
      titleOf: ({ tag_name, name }) => name || tag_name,
      textOf: ({ description }) => description,
    }),
    shortList(projectId, {
      id: "boards",
      kind: "board",
      prefix: recordPaths.boards,
      path: paths.boards(projectId),
      schema: boardsSchema,
      pathOf: ({ id }) => `${recordPaths.boards}${padId(id)}.json`,
      titleOf: ({ name }) => name || "Board",
    }),
  ];
}

function shortList<T>(projectId: string, list: ShortList<T>): BackupStage {
  const { id, kind, prefix, path, query, schema, textOf } = list;
  return {
    id,
    optional: { kind, path: prefix, prefixes: [prefix] },
    async *run(run) {
      const call = {
        method: "GET",
        path,
        query: { per_page: LARGEST_PAGE, ...query },
        about: `the ${id}`,
        missing: "forbidden",
      } as const;
      const seen = new Set<string>();
      for await (const { members } of readPages(gitlabClient(run.session), call, schema)) {
        for (const member of members) {
          seen.add(list.pathOf(member));
          const value = recordForm(member);
          yield { type: "record", path: list.pathOf(member), kind, title: list.titleOf(member), value };
        }
        if (textOf) yield* backUpUploadLinks(run, projectId, members.map(textOf));
        const progress = { phase: `Reading ${id}`, done: seen.size, total: null, unit: "items" } as const;
        yield { type: "progress", progress } satisfies BackupEvent;
      }
      yield { type: "reported", kind, count: seen.size };
      run.next.counts[kind] = seen.size;
    },
  };
}
