import { type Bench, check, finding, withRuntime } from "../bench.ts";
import { spreadOf } from "../statistics.ts";

/** P9: what finding and queueing a due item costs in rows, however many items there are. */
export const dueItems: Bench = {
  id: "P9",
  run: (ground) =>
    withRuntime(ground, async (runtime) => {
      const { scheduled, due } = ground.sizes;
      const perItem: number[] = [];
      for (const items of scheduled) {
        await runtime.call("/schedule", { items, due });
        const { queued, counts } = await runtime.call<{ queued: number; counts: { rowsRead: number } }>(
          "/dispatch",
        );
        check(queued === due, `${due} queued runs of ${items} items`);
        perItem.push(counts.rowsRead / due);
        ground.say(`${items} items, ${due} due: ${counts.rowsRead} rows read`);
      }
      const note = `${scheduled.join(", ")} items of which ${due} are due: ${perItem.map((rows) => rows.toFixed(3)).join(", ")} rows each`;
      const most = Math.max(...perItem);
      const grown = spreadOf(perItem);
      const one = (value: number) => ({ median: value, least: value, most: value });
      return [
        finding({ id: "P9", what: "D1 rows read for a due item", note }, one(most), { atMost: 2 }),
        finding({ id: "P9", what: "the same, most items / fewest", note }, one(grown), { atMost: 1.05 }),
      ];
    }),
};
