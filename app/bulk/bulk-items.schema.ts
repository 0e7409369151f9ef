import * as z from "zod/mini";

/** One item of a bulk restore as the browser keeps it (spec P-163); its last members are ours. */
export const bulkItemSchema = z.object({
  id: z.string().check(z.minLength(1)),
  /** The item's own name. */
  idName: z.string(),
  /** The new name; on platforms that restore into something existing, its id. */
  name: z.string(),
  /** Id of the version; empty until one is chosen. */
  ver: z.string(),
  /** When it was taken, epoch ms. */
  verDate: z.nullable(z.number()),
  isGist: z.boolean(),
  projectTypeKey: z.nullable(z.string()),
  matchedColumns: z.array(z.unknown()),
  visibility: z._default(z.enum(["private", "public", "internal"]), "private"),
});
export type BulkItem = z.output<typeof bulkItemSchema>;
