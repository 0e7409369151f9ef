import { expect, test } from "vitest";
import { openRestoreBench } from "./test-bench.ts";

const REFUSAL = { object: "error", status: 400, code: "validation_error", message: "No such page here" };
const TROUBLE = { object: "error", status: 503, code: "service_unavailable", message: "Later" };

test("a page that follows a refused one and whose first request failed is made, and no earlier page stands for it", async () => {
  const bench = await openRestoreBench();
  const { id } = await bench.happen("pages", { title: "Quay 7" });
  for (const title of ["First", "Second", "Third"]) await bench.happen("pages", { parentId: id, title });
  const snapshot = await bench.backUp();
  let failures = 0;
  const by = bench.session({
    fetch: async (url, init) => {
      const isNewPage = init?.method === "POST" && url.endsWith("/v1/pages");
      const body = isNewPage ? String(init.body) : "";
      if (body.includes("Second")) return Response.json(REFUSAL, { status: 400 });
      if (body.includes("Third") && failures++ === 0) return Response.json(TROUBLE, { status: 503 });
      return await fetch(url, init);
    },
  });
  const { item, events } = await bench.whole(snapshot, "Back again", { by });
  const { pages, blocks, children } = bench.simulator.world.state;
  const [restored = ""] = children[item.externalId]!;
  const below = children[restored]!.map((child) =>
    pages[child]
      ? ["page", JSON.stringify(pages[child].values)]
      : [blocks[child]?.type, JSON.stringify(blocks[child])],
  );
  // A link to the original stands in place of the refused page.
  expect(below).toEqual([
    ["page", expect.stringContaining("First")],
    ["paragraph", expect.stringContaining("Second")],
    ["page", expect.stringContaining("Third")],
  ]);
  expect(events).toContainEqual(expect.objectContaining({ type: "missing", what: "The page Second" }));
  await bench.stop();
});
