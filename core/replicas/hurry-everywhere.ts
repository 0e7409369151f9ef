import { commitTogether } from "#core/database/statements.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { hurryCopies } from "./replica.store.ts";

/** Retries every failed or waiting copy now, because the storage works again. */
export async function hurryEverywhere(
  s: Uses<"clock" | "ledger">,
  { id, organisationId }: { id: string; organisationId: string },
): Promise<void> {
  for (const region of REGIONS) {
    const ledger = s.ledger(region, organisationId);
    await commitTogether(ledger, [hurryCopies(ledger, id, s.clock.now())]);
  }
}
