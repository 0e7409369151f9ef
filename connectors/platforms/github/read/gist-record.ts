import { z } from "zod";
import { pickJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordForm } from "../record-form.ts";

/** A gist, in the short form of lists or in full. */
export const gistSchema = z.looseObject({
  id: z.string().regex(/^[0-9a-zA-Z]+$/),
  node_id: z.string().nullish(),
  description: z.string().nullish(),
  public: z.boolean(),
  git_pull_url: z.string(),
  comments: z.int().nonnegative().catch(0),
  files: z.record(z.string(), z.looseObject({ size: z.number().catch(0) })),
  owner: z
    .looseObject({ login: z.string() })
    .nullish()
    .transform((owner) => owner ?? null),
});
export type Gist = z.output<typeof gistSchema>;

/** The details that `getItem` passes to a backup. */
export const gistDetailsSchema = z.object({
  record: z.json(),
  /** URL of its git repository, as GitHub returns it. */
  gitUrl: z.string(),
  comments: z.int(),
});

/** The name of a gist: its first file's name, as on GitHub. */
export function gistName(gist: Gist): string {
  return Object.keys(gist.files).sort(byName.compare)[0] ?? gist.id;
}
const byName = new Intl.Collator("en", { numeric: true });

/** Builds the record of a gist: its facts and its file names. The contents and history of the files are in git. */
export function gistRecord(gist: Gist): Json {
  const { history: _, forks: __, files, ...facts } = gist as { [key: string]: Json };
  const named = Object.entries(files as { [name: string]: Json }).map(([name, file]) => [
    name,
    pickJson(file, ["filename", "type", "language", "size"]),
  ]);
  return { ...(recordForm(facts) as { [key: string]: Json }), files: Object.fromEntries(named) };
}
