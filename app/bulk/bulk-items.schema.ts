import * as z from "zod/mini";

/** One item of a bulk restore, as stored in the browser (spec P-163). The last members are ours. */
export const bulkItemSchema = z.object({
  id: z.string().check(z.minLength(1)),
  /** The item's original name. */
  idName: z.string(),
  /** The new name. On platforms that restore into an existing item, the id of that item. */
  name: z.string(),
  /** Id of the version; empty until one is selected. */
  ver: z.string(),
  /** When the version was taken, in epoch ms. */
  verDate: z.nullable(z.number()),
  isGist: z.boolean(),
  projectTypeKey: z.nullable(z.string()),
  matchedColumns: z.array(z.unknown()),
  /** Name of the target where `name` is its id; empty until one is chosen. */
  intoName: z._default(z.string(), ""),
  /** The target is the item itself or has its name, so a restore makes duplicates. */
  isSame: z._default(z.boolean(), false),
  tags: z._default(z.array(z.object({ label: z.string(), meaning: z.string() })), []),
  isOpen: z._default(z.boolean(), false),
});
export type BulkItem = z.output<typeof bulkItemSchema>;
