import { z } from "zod";
import { pickJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordForm } from "./record-form.ts";

/** A gist, in the short form of lists and the whole one. */
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

/** What `getItem` hands to a backup. */
export const gistDetailsSchema = z.object({
  record: z.json(),
  /** Where its git repository is, as GitHub tells. */
  gitUrl: z.string(),
  comments: z.int(),
});

/** GitHub calls a gist by its first file. */
export function gistName(gist: Gist): string {
  return Object.keys(gist.files).sort(byName.compare)[0] ?? gist.id;
}
const byName = new Intl.Collator("en", { numeric: true });

/** The record of a gist: what it is and which files it has. Their texts and history are in git. */
export function gistRecord(gist: Gist): Json {
  const { history: _, forks: __, files, ...facts } = gist as { [key: string]: Json };
  const named = Object.entries(files as { [name: string]: Json }).map(([name, file]) => [
    name,
    pickJson(file, ["filename", "type", "language", "size"]),
  ]);
  return { ...(recordForm(facts) as { [key: string]: Json }), files: Object.fromEntries(named) };
}
