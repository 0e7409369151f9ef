import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Memory } from "#core/kernel/memory.ts";
import { findStorageRow } from "./storage.store.ts";

/** Returns the kind of the connected storage and the copied platforms: only what every member may know. */
export async function findStorageSummary(
  deps: { control: ControlDatabase; memory?: Memory },
  organisationId: string,
): Promise<{ kind: string; platforms: readonly string[]; isActive: boolean } | null> {
  const row = await findStorageRow(deps.control, organisationId);
  return row && { kind: row.kind, platforms: row.platforms, isActive: row.status === "active" };
}
