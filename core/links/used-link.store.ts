import { lt } from "drizzle-orm";
import { usedLink } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";

/** Marks a link as used. Returns false when it already was; the caller must then do nothing with it. */
export async function useLink(
  deps: { control: ControlDatabase; clock: Clock },
  { purpose, linkHash, expiresAt }: { purpose: string; linkHash: string; expiresAt: number },
): Promise<boolean> {
  const now = deps.clock.now();
  const [, inserted] = await deps.control.batch([
    deps.control.delete(usedLink).where(lt(usedLink.expiresAt, now)),
    deps.control
      .insert(usedLink)
      .values({ linkHash, purpose, usedAt: now, expiresAt })
      .onConflictDoNothing()
      .returning({ linkHash: usedLink.linkHash }),
  ]);
  return inserted.length === 1;
}
