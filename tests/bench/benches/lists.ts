import { type Bench, check, finding, withRuntime } from "../bench.ts";

const PER_PAGE = 10;

/** P9: rows read for a page of an item list, at any position and list length. */
export const listPages: Bench = {
  id: "P9",
  run: (ground) =>
    withRuntime(ground, async (runtime) => {
      const lengths = ground.sizes.listed;
      const most: number[] = [];
      for (const items of lengths) {
        const { pages } = await runtime.call<{ pages: { rows: number; total: number; rowsRead: number }[] }>(
          "/list-pages",
          { items, perPage: PER_PAGE },
        );
        check(
          pages.every(({ rows, total }) => rows === PER_PAGE && total === items),
          `whole pages of a list of ${items}`,
        );
        most.push(Math.max(...pages.map(({ rowsRead }) => rowsRead)));
        ground.say(`${items} items: ${pages.map(({ rowsRead }) => rowsRead).join(", ")} rows read`);
      }
      const ratio = Math.max(...most) / PER_PAGE;
      return [
        finding(
          {
            id: "P9",
            what: "D1 rows read for a page of a list and its counts / rows of the page",
            note: `first, middle and last page of ${lengths.join(", ")} items: at most ${most.join(", ")} rows for ${PER_PAGE}`,
          },
          { median: ratio, least: ratio, most: ratio },
          { atMost: 3 },
        ),
      ];
    }),
};
