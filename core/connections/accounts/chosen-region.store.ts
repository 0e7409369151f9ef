import { and, eq } from "drizzle-orm";
import { chosenRegion } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** Remembers the region in which a platform's first account will live. */
export async function saveChosenRegion(
  control: ControlDatabase,
  key: { organisationId: string; platform: string },
  { region, now }: { region: Region; now: number },
): Promise<void> {
  await control
    .insert(chosenRegion)
    .values({ ...key, region, chosenAt: now })
    .onConflictDoUpdate({
      target: [chosenRegion.organisationId, chosenRegion.platform],
      set: { region, chosenAt: now },
    });
}

/** The chosen regions, by platform. */
export async function listChosenRegions(
  control: ControlDatabase,
  organisationId: string,
): Promise<ReadonlyMap<string, Region>> {
  const rows = await control
    .select()
    .from(chosenRegion)
    .where(eq(chosenRegion.organisationId, organisationId));
  return new Map(rows.map(({ platform, region }) => [platform, region]));
}

/** The region chosen for a platform; null = none yet. */
export async function findChosenRegion(
  control: ControlDatabase,
  key: { organisationId: string; platform: string },
): Promise<Region | null> {
  const [row] = await control
    .select({ region: chosenRegion.region })
    .from(chosenRegion)
    .where(and(eq(chosenRegion.organisationId, key.organisationId), eq(chosenRegion.platform, key.platform)));
  return row?.region ?? null;
}
