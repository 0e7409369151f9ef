import type { Uses } from "#core/services.ts";
import { AUTHORISATION_KEPT_MS } from "../limits.ts";
import { deleteExpiredAuthorisations } from "./authorisation.store.ts";

/**
 * Deletes authorisations a day after they expired, with the sealed tokens of choices that were never made: a choice
 * always expires earlier.
 */
export async function pruneAuthorisations(s: Uses<"clock" | "control">): Promise<void> {
  await deleteExpiredAuthorisations(s.control, s.clock.now() - AUTHORISATION_KEPT_MS);
}
