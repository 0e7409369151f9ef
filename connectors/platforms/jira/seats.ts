import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";

/** `{ "key": "license.totalApproximateUserCount", "value": "1000" }` (Jira's contract, `LicenseMetric`). */
const metricSchema = z.object({
  value: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

const connectionSchema = z.object({ cloudId: z.string().min(1) });

/**
 * The users of the site across all Jira licences, as Jira counts them. The number is approximate and may be seven days
 * old. Only an administrator of Jira may read it (contract, `GET /rest/api/3/license/approximateLicenseCount`; scope
 * `manage:jira-configuration`), which few backups need, so a refusal is about this number alone: the access is not
 * renewed for it, and never given up.
 *
 * @throws ConnectorError `forbidden` without that right
 */
export async function countSeats(session: Session): Promise<number> {
  const { cloudId } = connectionSchema.parse(session.connectionDetails);
  const client = createHttpClient(
    { ...session, accessToken: (refused) => (refused === undefined ? session.accessToken() : refuse()) },
    {
      platform: "Jira",
      baseUrl: `${session.config.JIRA_API_URL}/ex/jira/${encodeURIComponent(cloudId)}`,
      headers: { "user-agent": "holdfast/1" },
    },
  );
  const call = {
    method: "GET",
    path: "/rest/api/3/license/approximateLicenseCount",
    about: "the number of licensed users",
    missing: "forbidden",
  } as const;
  return (await client.request(call, metricSchema)).value;
}

function refuse(): never {
  const message =
    "Jira does not let us reach the number of licensed users: the access lacks a permission (401).";
  throw new ConnectorError("forbidden", message, { status: 401 });
}
