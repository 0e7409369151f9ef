import { type Bench, check, finding, withRuntime } from "../bench.ts";
import type { Runtime } from "../runtime.ts";
import { spreadOf } from "../statistics.ts";

/** P9: rows read to find and queue a due item, for any number of items. */
export const dueItems: Bench = {
  id: "P9",
  run: (ground) =>
    withRuntime(ground, async (runtime) => {
      const { scheduled, due } = ground.sizes;
      const perItem: number[] = [];
      const fewRows: string[] = [];
      for (const items of scheduled) {
        await runtime.call("/schedule", { items, due });
        const { queued, counts } = await tick(runtime);
        check(queued === due, `${due} queued runs of ${items} items`);
        await runtime.call("/schedule", { items: items + 1, due: 1 });
        const single = await tick(runtime);
        check(single.queued === 1, "a tick with one item due");
        const idle = await tick(runtime);
        check(idle.queued === 0, "a tick with nothing due");
        // Excludes what every tick reads, and what it reads once for an organisation's plan.
        perItem.push((counts.rowsRead - single.counts.rowsRead) / (due - 1));
        fewRows.push(`${single.counts.rowsRead} and ${idle.counts.rowsRead}`);
        ground.say(`${items} items, ${due} due: ${counts.rowsRead} rows read`);
      }
      const note = `${scheduled.join(", ")} items of which ${due} are due: ${perItem.map((rows) => rows.toFixed(3)).join(", ")} rows for each after the first; a tick with one due or none reads ${fewRows.join(", ")}`;
      const most = Math.max(...perItem);
      const grown = spreadOf(perItem);
      const one = (value: number) => ({ median: value, least: value, most: value });
      return [
        finding({ id: "P9", what: "D1 rows read for a due item", note }, one(most), { atMost: 2 }),
        finding({ id: "P9", what: "the same, most items / fewest", note }, one(grown), { atMost: 1.05 }),
      ];
    }),
};

const tick = (runtime: Runtime) =>
  runtime.call<{ queued: number; counts: { rowsRead: number } }>("/dispatch");
