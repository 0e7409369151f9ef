import { z } from "zod";
import type { KeyAuthoriser } from "#connectors/contract/storage-connector.ts";

/**
 * S3's part of the environment. `{region}` is replaced by the bucket's region. With `virtual` the bucket is the first
 * label of the host, as AWS requires; with `path` it is the first part of the path, as most other S3 servers expect.
 */
export const configSchema = z.object({
  S3_API_URL: z
    .string()
    .regex(/^https?:\/\/[^\s/?#]+$/, "must be an address without a path")
    .default("https://s3.{region}.amazonaws.com"),
  S3_ADDRESSING: z.enum(["virtual", "path"]).default("virtual"),
});

/** Bucket names are globally unique, so the name identifies the account. */
export const authoriser: KeyAuthoriser = {
  by: "keys",
  read: (_config, { bucketName = "", region = "" }) => ({
    account: { externalId: bucketName, name: bucketName },
    details: { bucketName, region },
  }),
};
