import { commitTogether } from "#core/database/statements.ts";
import { markItemErased } from "#core/recovery/index.ts";
import { LostRunError, type RunOrder, runSlice, succeedRun } from "#core/runs/index.ts";
import type { RunServices, Uses } from "#core/services.ts";
import { forgetObjects, takeObjectsOfItem } from "#core/versions/index.ts";
import { SWEEP_AT_ONCE } from "./limits.ts";

/**
 * Deletes all stored bytes of an item that its owner deleted. It skips the two marks of `prune`, because the owner
 * confirmed the deletion by typing. The item is already gone from lists. First it marks the item as erased, so that no
 * rebuilt ledger shows it again.
 */
export async function runDelete(s: RunServices & Uses<"bucket">, order: RunOrder): Promise<void> {
  await runSlice(
    s,
    order,
    { job: "delete-item", locks: null },
    async ({ run, ledger, region, hold, progress }) => {
      await markItemErased(s, { region, organisationId: run.organisationId, itemId: run.itemId });
      const key = { organisationId: run.organisationId, itemId: run.itemId };
      let deleted = 0;
      for (;;) {
        const taken = await takeObjectsOfItem(ledger, key, SWEEP_AT_ONCE);
        if (taken.length === 0) break;
        await s.bucket(region).delete(taken.map((object) => object.key));
        await forgetObjects(
          ledger,
          taken.map((object) => object.id),
        );
        deleted += taken.length;
        await progress({ phase: "Deleting", done: deleted, total: null, unit: "objects" });
      }
      const done = {
        now: s.clock.now(),
        snapshotId: null,
        bytesRead: 0,
        bytesStored: 0,
        report: { deleted },
      };
      const results = await commitTogether(ledger, [succeedRun(ledger, hold, done)]);
      if ((results.at(-1)?.results.length ?? 0) === 0) throw new LostRunError(run.id);
    },
  );
}
