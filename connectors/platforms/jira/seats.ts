import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { jiraClient, paths } from "./client.ts";

/** `{ "key": "license.totalApproximateUserCount", "value": "1000" }` (Jira's contract, `LicenseMetric`). */
const metricSchema = z.object({
  value: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

/**
 * The users of the site across all Jira licences, as Jira counts them. The number is approximate and may be seven days
 * old. Only an administrator of Jira may read it (contract, `GET /rest/api/3/license/approximateLicenseCount`; scope
 * `manage:jira-configuration`), which few backups need, so a refusal is about this number alone: the access is not
 * renewed for it, and never given up.
 *
 * @throws ConnectorError `forbidden` without that right
 */
export async function countSeats(session: Session): Promise<number> {
  const accessToken = async (refused?: string) => (refused === undefined ? session.accessToken() : refuse());
  const { value } = await jiraClient({ ...session, accessToken }).request(
    {
      endpoint: "account",
      method: "GET",
      path: paths.licensedUsers,
      about: "the number of licensed users",
      missing: "forbidden",
    },
    metricSchema,
  );
  return value;
}

function refuse(): never {
  const message =
    "Jira does not let us reach the number of licensed users: the access lacks a permission (401).";
  throw new ConnectorError("forbidden", message, { status: 401 });
}
