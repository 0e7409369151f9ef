import { commitTogether } from "#core/database/statements.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { CoreServices } from "#core/services.ts";
import { hurryCopies } from "./replica.store.ts";

/** The storage works again: every copy that failed there is tried now. */
export async function hurryEverywhere(s: CoreServices, storageId: string): Promise<void> {
  for (const region of REGIONS) {
    const ledger = s.ledger(region);
    await commitTogether(ledger, [hurryCopies(ledger, storageId, s.clock.now())]);
  }
}
