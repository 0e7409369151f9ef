import { afterAll, beforeAll, expect, test } from "vitest";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import { openRestoreBench, type RestoreBench } from "./restore/test-bench.ts";
import { dumpThing } from "./simulator/dump.ts";

/** How many calls to strike a restore at, spread from the first to the last. */
const STRIKES = 10;
const PATIENCE_MS = 3_600_000;

let bench: RestoreBench;
let snapshot: MemorySnapshot;
let calls = 0;
let wanted = "";

beforeAll(async () => {
  bench = await openRestoreBench();
  const { id } = await bench.happen("pages", { title: "Quay 7", content: "fleet" });
  await bench.happen("comments", { onId: id, text: "Said once" });
  // More blocks than one request takes.
  await bench.happen("generate", { rootId: id, pages: 1, blocks: 350, comments: 2, files: 1 });
  snapshot = await bench.backUp();
  const by = bench.session();
  const { item } = await bench.whole(snapshot, "Whole", { by });
  calls = by.requests.length;
  wanted = contentOf(item.externalId);
}, PATIENCE_MS);

afterAll(() => bench.stop());

/** Times, and the name of the restored page, which every restore has its own of. */
const ITS_OWN = new Set(["createdAt", "editedAt", "expiresAt"]);
const ID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g;
const NAME = /Whole|Struck \d+|Lost \d+/g;

/** Everything below a page in its order; ids of things and properties are numbered as they appear, times left out. */
function contentOf(pageId: string): string {
  const { world } = bench.simulator;
  const properties = Object.values(world.state.dataSources).flatMap((source) =>
    Object.keys(source.properties),
  );
  const known = new Set(properties.filter((id) => id !== "title"));
  const numbers = new Map<string, string>();
  const numberOf = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, `#${numbers.size}`);
    return numbers.get(id)!;
  };
  const plain = (text: string) =>
    text
      .replace(NAME, "NAME")
      .replace(/(?<=\{\{notion:block_property:)[^:]{1,20}/g, numberOf)
      .replace(ID, (id) => numberOf(id.replaceAll("-", "")));
  const tidy = (value: unknown): unknown => {
    if (typeof value === "string") return known.has(value) ? numberOf(value) : plain(value);
    if (Array.isArray(value)) return value.map(tidy);
    if (value === null || typeof value !== "object") return value;
    const kept = Object.entries(value).filter(([key]) => !ITS_OWN.has(key));
    return Object.fromEntries(kept.map(([key, inner]) => [tidy(key), tidy(inner)]));
  };
  return JSON.stringify(tidy(dumpThing(world, pageId)), null, 1);
}

/** Pages at the top with this name. */
function topsNamed(name: string): string[] {
  const { pages } = bench.simulator.world.state;
  return bench.tops().filter((id) => JSON.stringify(pages[id]?.values ?? "").includes(`"${name}"`));
}

/**
 * A session that is struck at the n-th call: nothing is sent any more, or Notion handles the call and its answer is lost.
 */
function struckSession(at: number, isHandled: boolean) {
  let sent = 0;
  return bench.session({
    fetch: async (url, init) => {
      sent += 1;
      if (sent > at || (sent === at && !isHandled)) throw new Error("The worker is dead.");
      const answer = await fetch(url, init);
      if (sent < at) return answer;
      await answer.arrayBuffer();
      throw new Error("The worker died.");
    },
  });
}

for (const [name, isHandled] of [
  ["Lost", true],
  ["Struck", false],
] as const)
  test(
    isHandled
      ? "a restore that is struck after any call, whose answer is lost, leaves no duplicate when it goes on"
      : "a restore that is struck before any call leaves nothing out and no duplicate when it goes on",
    async () => {
      expect(calls).toBeGreaterThan(50);
      await sweep(async () => {
        for (const at of samplePoints(calls, STRIKES)) {
          const own = `${name} ${at}`;
          const journal = memoryJournal();
          const by = struckSession(at, isHandled);
          await expect(bench.whole(snapshot, own, { journal, by }), `${own} of ${calls}`).rejects.toThrow();
          const { item } = await bench.whole(snapshot, own, { journal });
          expect(topsNamed(own), `${own} of ${calls}`).toHaveLength(1);
          expect(contentOf(item.externalId), `${own} of ${calls}`).toBe(wanted);
        }
      });
    },
    PATIENCE_MS,
  );
