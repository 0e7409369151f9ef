import { z } from "zod";
import type { Session } from "#connectors/contract/platform-connector.ts";

const accountSchema = z.looseObject({ cloudId: z.string(), siteUrl: z.string(), accountId: z.string() });

/** The connected site, and the account that restored things belong to. */
export function accountOf({
  connectionDetails,
}: Pick<Session, "connectionDetails">): z.output<typeof accountSchema> {
  return accountSchema.parse(connectionDetails);
}
