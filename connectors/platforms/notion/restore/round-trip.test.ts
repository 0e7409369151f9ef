import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type JsonObject, objectsOf, textOf } from "./json-parts.ts";
import { expectedOf, outlineOf } from "./outline.ts";
import { openRestoreBench } from "./restore-bench.ts";

test("a workspace with a block and a property of every kind comes back but for the declared losses", async () => {
  const bench = await openRestoreBench();
  const fleet = await bench.happen("pages", { title: "Quay 7", content: "fleet" });
  const all = await bench.happen("pages", { title: "All there is", content: "everything" });
  const snapshot = await bench.backUp();
  const { item } = await bench.whole(snapshot, "Back again");
  const { world } = bench.simulator;
  const tops = world.state.children[item.externalId]!;
  const named = (title: string) =>
    tops.find((id) => JSON.stringify(world.state.pages[id]?.values).includes(title))!;
  for (const { id, title } of [
    { id: fleet.id, title: "Quay 7" },
    { id: all.id, title: "All there is" },
  ]) {
    expect(comparable(outlineOf(world, named(title))), title).toEqual(comparable(expectedOf(world, id)));
  }
  await bench.stop();
});

/** Comments without the line that names their time. */
function comparable(outline: Json): Json {
  if (Array.isArray(outline)) return outline.map(comparable);
  if (outline === null || typeof outline !== "object") return outline;
  const copy: JsonObject = Object.fromEntries(
    Object.entries(outline).map(([key, each]) => [key, comparable(each)]),
  );
  if (typeof copy.author === "string" || copy.author === null) {
    const [head, ...rest] = objectsOf(copy.text);
    const isHead = /^\d+ \w+ \d{4}, \d\d:\d\d UTC\n$/.test(textOf(head?.text) ?? "");
    copy.text = isHead ? rest : (copy.text ?? []);
    delete copy.author;
  }
  return copy;
}
