import { type Bench, check, type Finding, finding, type Ground, withRuntime } from "../bench.ts";
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
      const spread = await tickLedgers(ground, runtime);
      return [
        finding({ id: "P9", what: "D1 rows read for a due item", note }, one(most), { atMost: 2 }),
        finding({ id: "P9", what: "the same, most items / fewest", note }, one(grown), { atMost: 1.05 }),
        spread,
      ];
    }),
};

/** A region whose items are spread over several ledgers, each of which is asked by a message of its own. */
async function tickLedgers({ sizes, say }: Ground, runtime: Runtime): Promise<Finding> {
  const { ledgers, due } = sizes;
  const items = Math.ceil(sizes.spread / ledgers);
  const perItem: number[] = [];
  for (let number = 1; number <= ledgers; number += 1) {
    const shard = number === 1 ? "AP" : `AP_${number}`;
    await runtime.call("/schedule", { items, due, shard });
    const { queued, counts } = await tick(runtime, shard);
    check(queued === due, `${due} queued runs of ${items} items in ${shard}`);
    await runtime.call("/schedule", { items: items + 1, due: 1, shard });
    const single = await tick(runtime, shard);
    perItem.push((counts.rowsRead - single.counts.rowsRead) / (due - 1));
    say(`${shard}: ${items} items, ${due} due: ${counts.rowsRead} rows read`);
  }
  const note = `${sizes.spread} items in ${ledgers} ledgers, of which ${due} are due in each`;
  const what = "the same, in any of several ledgers of a region";
  const most = Math.max(...perItem);
  return finding(
    { id: "P9", what, note },
    { median: most, least: Math.min(...perItem), most },
    { atMost: 2 },
  );
}

const tick = (runtime: Runtime, shard?: string) =>
  runtime.call<{ queued: number; counts: { rowsRead: number } }>("/dispatch", { shard });
