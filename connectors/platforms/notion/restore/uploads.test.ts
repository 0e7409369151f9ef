import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { expectPlanKept } from "#tests/conformance/expect-plan-kept.ts";
import { memoryJournal, type TestSession } from "#tests/conformance/test-session.ts";
import { planRestore } from "../plan/plan-restore.ts";
import { seedKit } from "../simulator/seed-kit.ts";
import { openRestoreBench, type RestoreBench, wholeOrder } from "./test-bench.ts";

const MEBIBYTE = 1024 ** 2;
/** Three parts of at most 10 MiB. */
const LARGE = 25 * MEBIBYTE;

/** A version of a workspace with a page that has files of these sizes. */
async function openFiles(sizes: readonly number[], plan: "business" | "free" = "business") {
  const bench = await openRestoreBench();
  const { world } = bench.simulator;
  world.state.workspaces.find(({ id }) => id === bench.workspaceId)!.plan = plan;
  const kit = seedKit(world, bench.workspaceId, Date.now());
  const by = world.state.people[0]!.id;
  const page = kit.page(by, null, "Drawings");
  for (const [index, size] of sizes.entries()) {
    const name = `plan-${index}.pdf`;
    const file = kit.file(name, "application/pdf", randomBytes(size));
    kit.block(by, page.id, "file", { ...file, caption: [], name });
  }
  const snapshot = await bench.backUp();
  const files = filesOn(bench, page.id);
  expect(files.filter((hash) => hash !== null)).toHaveLength(sizes.length);
  return { bench, snapshot, files };
}

/** The hash of each file on a page, from top to bottom; null = a block without a file. */
function filesOn({ simulator: { world } }: RestoreBench, pageId: string): (string | null)[] {
  return (world.state.children[pageId] ?? []).map((id) => {
    const fileId = /"file_id":"([^"]+)"/.exec(JSON.stringify(world.state.blocks[id]?.payload))?.[1];
    return world.state.files[fileId ?? ""]?.sha256 ?? null;
  });
}

/** The files on the page below the restored one. */
function restoredFiles(bench: RestoreBench, { externalId }: { externalId: string }): (string | null)[] {
  const [page = ""] = bench.simulator.world.state.children[externalId] ?? [];
  return filesOn(bench, page);
}

/** The parts that were sent, in their order; a file that is sent whole has none. */
const partsIn = (bodies: readonly string[]) =>
  bodies.flatMap((body) => /name="part_number"\r\n\r\n(\d+)/.exec(body)?.[1] ?? []);

/** A session that shows the beginning of each upload, and whose requests can be disturbed. */
function watched(
  bench: RestoreBench,
  disturb: (url: string, init: RequestInit | undefined) => Promise<void> | void = () => {},
) {
  const by: TestSession = bench.session();
  const heads: string[] = [];
  const quick = by.fetch;
  by.fetch = async (url, init) => {
    await disturb(url, init);
    if (!url.endsWith("/send")) return await quick(url, init);
    const bytes = new Uint8Array(await new Response(init?.body).arrayBuffer());
    heads.push(new TextDecoder("latin1").decode(bytes.slice(0, 400)));
    return await quick(url, { ...init, body: bytes });
  };
  return { by, heads };
}

test("a large file is sent in parts, and comes back with all its bytes", async () => {
  const { bench, snapshot, files } = await openFiles([LARGE, 1_000]);
  const { by, heads } = watched(bench);
  const plan = await planRestore({ accountName: "" }, snapshot, wholeOrder("Drawings again"));
  const { item, events } = await bench.whole(snapshot, "Drawings again", { by });
  expect(restoredFiles(bench, item)).toEqual(files);
  expect(partsIn(heads)).toEqual(["1", "2", "3"]);
  expectPlanKept(plan, { events, session: by, apiUrl: `${bench.simulator.url}/v1` });
  await bench.stop();
});

test("a restore that ends in the middle of a large file goes on with the next part", async () => {
  const { bench, snapshot, files } = await openFiles([LARGE]);
  const journal = memoryJournal();
  const dying = watched(bench);
  const { accessToken } = dying.by;
  dying.by.accessToken = async (refused) => {
    if (dying.heads.length === 2) throw new RangeError("The worker died.");
    return await accessToken(refused);
  };
  await expect(bench.whole(snapshot, "Drawings again", { by: dying.by, journal })).rejects.toThrow();
  const { by, heads } = watched(bench);
  const { item } = await bench.whole(snapshot, "Drawings again", { by, journal });
  expect(restoredFiles(bench, item)).toEqual(files);
  expect([...partsIn(dying.heads), ...partsIn(heads)]).toEqual(["1", "2", "3"]);
  await bench.stop();
});

test("a part whose answer is lost is sent once, and so is the end of the file", async () => {
  const { bench, snapshot, files } = await openFiles([LARGE]);
  for (const path of ["/send", "/complete"]) {
    const { by, heads } = watched(bench);
    await bench.happen("spoil-answers", {
      method: "POST",
      path,
      skip: path === "/send" ? 1 : 0,
      times: 1,
      status: 502,
    });
    const { item, events } = await bench.whole(snapshot, `After ${path}`, { by });
    expect(restoredFiles(bench, item), path).toEqual(files);
    expect(partsIn(heads), path).toEqual(["1", "2", "3"]);
    expect(events.filter(({ type }) => type === "missing")).toEqual([]);
  }
  await bench.stop();
});

test("files whose upload expired before it was attached are uploaded again", async () => {
  const { bench, snapshot, files } = await openFiles([LARGE, 1_000]);
  let isLate = false;
  const { by } = watched(bench, async (url, init) => {
    if (isLate || init?.method !== "PATCH" || !url.endsWith("/children")) return;
    isLate = true;
    await bench.happen("clock", { advanceMs: 2 * 3_600_000 });
  });
  const { item, events } = await bench.whole(snapshot, "Drawings again", { by });
  expect(isLate).toBe(true);
  expect(restoredFiles(bench, item)).toEqual(files);
  expect(events.filter(({ type }) => type === "missing")).toEqual([]);
  expect(events).toContainEqual({ type: "restored", kind: "file", count: 2 });
  await bench.stop();
});

test("a file beyond the limit of the workspace's plan leaves a note, and the others come back", async () => {
  const { bench, snapshot, files } = await openFiles([6 * MEBIBYTE, 1_000], "free");
  const { state } = bench.simulator.world;
  const { by, heads } = watched(bench);
  const plan = await planRestore({ accountName: "" }, snapshot, wholeOrder("Drawings again"));
  const { item, events } = await bench.whole(snapshot, "Drawings again", { by });
  expect(restoredFiles(bench, item)).toEqual([null, files[1]]);
  expect(heads).toHaveLength(1);
  expect(JSON.stringify(state.blocks)).toContain("plan-0.pdf was here.");
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "missing",
      what: "Files that are larger than the workspace's plan allows",
    }),
  );
  expect(events).toContainEqual({ type: "restored", kind: "file", count: 1 });
  expectPlanKept(plan, { events, session: by, apiUrl: `${bench.simulator.url}/v1` });
  await bench.stop();
});
