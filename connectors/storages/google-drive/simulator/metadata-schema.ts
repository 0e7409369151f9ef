import { z } from "zod";

const properties = z.record(z.string(), z.string().nullable()).optional();

/** The metadata of a request. Drive ignores unknown fields; the simulator rejects them as bugs of ours. */
export const metadataSchema = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  mimeType: z.string().optional(),
  description: z.string().optional(),
  parents: z.array(z.string()).optional(),
  appProperties: properties,
  properties,
  createdTime: z.string().optional(),
  modifiedTime: z.string().optional(),
  trashed: z.boolean().optional(),
});
