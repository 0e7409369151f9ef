import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Uses } from "#core/services.ts";
import type { ConnectionRow } from "./connection.store.ts";
import { authMethodsOf, workingMethods } from "./open-session.ts";
import type { ConnectionView } from "./views.ts";

const detailsSchema = z
  .object({ fullName: z.string().min(1).nullable().catch(null) })
  .catch({ fullName: null });

/** Converts a connection to a view without secrets, with its connector's facts. */
export function toConnectionView(s: Uses<"connectors">, row: ConnectionRow): ConnectionView {
  const connector = s.connectors.get(row.platform);
  const facts = connector?.rowFacts?.account;
  const seats = {
    count: row.seats,
    readAt: row.seatsReadAt,
    problem: row.seatsProblem,
  };
  const lostReason = row.status === "active" ? null : (row.lostReason ?? "token");
  const grantName = row.grantName ?? row.name;
  const details = row.details as Json;
  const isAppMissing = lostReason === "app";
  return {
    id: row.id,
    platform: row.platform,
    externalId: row.externalId,
    name: row.name,
    fullName: detailsSchema.parse(row.details).fullName,
    accountType: row.accountType,
    region: row.region,
    status: row.status,
    lostReason,
    isAutoAdd: row.isAutoAdd,
    isConfirmed: row.isConfirmed,
    grantName,
    createdAt: row.createdAt,
    ...(connector?.countSeats ? { seats } : {}),
    ...(connector?.people ? { peopleProblem: row.peopleProblem } : {}),
    credentials: credentialsOf(s, row),
    facts:
      facts?.of({
        id: row.id,
        name: row.name,
        type: row.accountType,
        details,
        grantName,
        authMethods: workingMethods(s, row),
        isAppMissing,
      }) ?? {},
  };
}

/** The credentials in the order of the platform's methods; empty when it has one method only. */
function credentialsOf(s: Uses<"connectors">, row: ConnectionRow): ConnectionView["credentials"] {
  const declared = authMethodsOf(s, row.platform);
  if (declared.length === 1) return [];
  const working = workingMethods(s, row);
  return declared
    .filter((id) => row.credentials.some(({ authMethod }) => authMethod === id))
    .map((authMethod) => ({ authMethod, isWorking: working.includes(authMethod) }));
}
