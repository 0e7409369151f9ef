import { z } from "zod";
import type { Session } from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { MEMBERS_QUOTA, paths } from "../client.ts";
import { accountSchema } from "../payloads.ts";

const detailsSchema = z.object({ memberId: z.string() });

/** The member id of the connected account, from the connection's details or else from Trello. */
export async function readMemberId(session: Session, client: HttpClient): Promise<string> {
  const details = detailsSchema.safeParse(session.connectionDetails);
  if (details.success) return details.data.memberId;
  const query = { fields: "id,username,fullName" };
  const call = {
    method: "GET",
    path: paths.me,
    query,
    about: "your account",
    quota: MEMBERS_QUOTA.resource,
  } as const;
  return (await client.request(call, accountSchema)).id;
}
