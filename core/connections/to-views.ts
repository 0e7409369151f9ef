import { z } from "zod";
import type { ConnectionRow } from "./connection.store.ts";
import type { ConnectionView } from "./views.ts";

const detailsSchema = z
  .object({ fullName: z.string().min(1).nullable().catch(null) })
  .catch({ fullName: null });

/** Converts a connection to a view without secrets. */
export function toConnectionView(row: ConnectionRow): ConnectionView {
  return {
    id: row.id,
    platform: row.platform,
    externalId: row.externalId,
    nodeId: row.nodeId,
    name: row.name,
    fullName: detailsSchema.parse(row.details).fullName,
    accountType: row.accountType,
    region: row.region,
    status: row.status,
    lostReason: row.status === "active" ? null : (row.lostReason ?? "token"),
    isAutoAdd: row.isAutoAdd,
    isConfirmed: row.isConfirmed,
    grantName: row.grantName ?? row.name,
    createdAt: row.createdAt,
  };
}
