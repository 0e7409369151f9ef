import { eq } from "drizzle-orm";
import { itemRegion } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Region } from "#core/kernel/platform-id.ts";

/** Returns the region in which an item with an older id was found. Null when it was not found yet. */
export async function rememberedRegion(control: ControlDatabase, itemId: string): Promise<Region | null> {
  const rows = await control.select().from(itemRegion).where(eq(itemRegion.itemId, itemId)).limit(1);
  return rows[0]?.region ?? null;
}

/** Remembers the region of such an item. */
export async function rememberRegion(
  control: ControlDatabase,
  found: { itemId: string; region: Region },
): Promise<void> {
  await control.insert(itemRegion).values(found).onConflictDoNothing();
}
