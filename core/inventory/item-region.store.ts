import { eq } from "drizzle-orm";
import { itemRegion } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** Where an item whose id tells no region was found; null when nobody has looked for it yet. */
export async function rememberedRegion(control: ControlDatabase, itemId: string): Promise<Region | null> {
  const rows = await control.select().from(itemRegion).where(eq(itemRegion.itemId, itemId)).limit(1);
  return rows[0]?.region ?? null;
}

/** Remembers where such an item was found. */
export async function rememberRegion(
  control: ControlDatabase,
  found: { itemId: string; region: Region },
): Promise<void> {
  await control.insert(itemRegion).values(found).onConflictDoNothing();
}
