import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { expectPlanKept } from "#tests/conformance/expect-plan-kept.ts";
import { memoryJournal, type TestSession } from "#tests/conformance/test-session.ts";
import { planRestore } from "../plan/plan-restore.ts";
import { seedKit } from "../simulator/seed-kit.ts";
import type { NotionWorld } from "../simulator/state.ts";
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

/** A session for which two hours pass before the first request of each kind that attaches uploads, and those requests. */
function attachingLate(bench: RestoreBench): { by: TestSession; requests: string[] } {
  const requests: string[] = [];
  const { by } = watched(bench, async (url, init) => {
    if (!String(init?.body).includes('"file_upload"')) return;
    const request = `${init?.method} ${url.split("/").at(-1)}`;
    if (!requests.includes(request)) await bench.happen("clock", { advanceMs: 2 * HOUR_MS });
    requests.push(request);
  });
  return { by, requests };
}

/** Ids of all files to which something in the workspace leads. */
function attachedFiles({ state: { files: _, uploads: __, ...state } }: NotionWorld): string[] {
  return [...JSON.stringify(state).matchAll(/"file_id":"([^"]+)"/g)].map(([, id = ""]) => id);
}

const REFUSAL = { object: "error", status: 400, code: "validation_error", message: "No such block here" };

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
  const late = attachingLate(bench);
  const { item, events } = await bench.whole(snapshot, "Drawings again", { by: late.by });
  expect(late.requests).toEqual(["PATCH children", "PATCH children"]);
  expect(restoredFiles(bench, item)).toEqual(files);
  expect(events.filter(({ type }) => type === "missing")).toEqual([]);
  expect(events).toContainEqual({ type: "restored", kind: "file", count: 2 });
  await bench.stop();
});

test("icons, covers, values of rows and files of comments whose upload expired are uploaded again", async () => {
  const bench = await openRestoreBench();
  const { world } = bench.simulator;
  const kit = seedKit(world, bench.workspaceId, Date.now());
  const by = world.state.people[0]!.id;
  const kept: string[] = [];
  const file = (name: string) => {
    const made = kit.file(name, "image/png", randomBytes(1_000));
    const { file_id: id } = made.file as { file_id: string };
    kept.push(world.state.files[id]!.sha256);
    return made;
  };
  const home = kit.page(by, null, "Quay 7", { icon: file("page-icon.png"), cover: file("page-cover.png") });
  kit.write(by, home.id, "callout", "Mind the step", { icon: file("block-icon.png") });
  kit.comment(by, home.id, "As drawn").attachments.push({
    category: "image",
    file: file("comment.png").file ?? null,
  });
  const schema = { title: { name: "Name", type: "title" }, plan: { name: "Plan", type: "files" } };
  const look = { icon: file("table-icon.png"), cover: file("table-cover.png") };
  const { database } = kit.database(by, home.id, "Berths", schema, look);
  const second = kit.source(by, database, "Moorings", schema);
  second.icon = file("source-icon.png");
  const plans = ["row-1.png", "row-2.png"].map((name) => ({ name, ...file(name) }));
  kit.row(by, second, { title: "Berth 1", plan: plans }, { icon: file("row-icon.png") });
  const snapshot = await bench.backUp([home.id]);
  const before = new Set(Object.keys(world.state.files));

  const late = attachingLate(bench);
  const { events } = await bench.whole(snapshot, "Quay 7 again", { by: late.by });
  const attachments = [
    "PATCH children",
    "POST comments",
    "POST data_sources",
    "POST databases",
    "POST pages",
  ];
  expect(new Set(late.requests)).toEqual(new Set(attachments));
  const restored = attachedFiles(world).filter((id) => !before.has(id));
  const hashes = new Set(restored.map((id) => world.state.files[id]!.sha256));
  expect(hashes).toEqual(new Set(kept));
  expect(events.filter(({ type }) => type === "missing")).toEqual([]);
  await bench.stop();
});

test("a refused value costs no second upload of the files beside it", async () => {
  const bench = await openRestoreBench();
  const { world } = bench.simulator;
  const kit = seedKit(world, bench.workspaceId, Date.now());
  const by = world.state.people[0]!.id;
  const page = kit.page(by, null, "Quay 7");
  kit.write(by, page.id, "callout", "Refused", {
    icon: kit.file("icon.png", "image/png", randomBytes(1_000)),
  });
  kit.block(by, page.id, "image", {
    ...kit.file("photo.png", "image/png", randomBytes(1_000)),
    caption: [],
  });
  const snapshot = await bench.backUp([page.id]);
  const { by: session, heads } = watched(bench);
  const quick = session.fetch;
  session.fetch = async (url, init) =>
    String(init?.body).includes('"Refused"') && String(init?.body).includes('"callout"')
      ? Response.json(REFUSAL, { status: 400 })
      : await quick(url, init);
  const { events } = await bench.whole(snapshot, "Quay 7 again", { by: session });
  expect(heads).toHaveLength(2);
  expect(events).toContainEqual({ type: "restored", kind: "file", count: 1 });
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
