import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemView } from "#core/inventory/index.ts";
import { askForBackup, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { randomFiles } from "#tests/harness/random-files.ts";
import { deliverWaiting, expectSound, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("large-files", "tiny");
  await world.drain();
});
afterAll(() => world.close());

/** The steps of a multipart upload. Other tests strike the rest of a backup, with small uploads. */
const UPLOAD = ["begin upload", "part", "complete"];

test(
  "a multipart pack with a crash at any step of its upload gives one complete version",
  async () => {
    await world.outside.control(`repos/${item.fullName}/files`, { files: randomFiles(1, 9 * 1024 * 1024) });
    const before = (await listSnapshots(world, item.id)).length;
    const runId = await askForBackup(world, item.id);
    const seen = new Set<string>();
    const only = ({ kind, name }: { kind: string; name: string }) => {
      const isUpload = kind === "bucket" && UPLOAD.includes(name);
      if (isUpload) seen.add(name);
      return isUpload;
    };
    await strike({ name: "upload", world, act: deliverWaiting(world), only }, async (blow) => {
      await expectSound(world, blow);
      const [run] = await world.rows("SELECT status FROM run WHERE id = ?", runId);
      expect([blow, run]).toEqual([blow, { status: "succeeded" }]);
      const snapshots = await listSnapshots(world, item.id);
      expect([blow, snapshots.length]).toEqual([blow, before + 1]);
      expect([blow, snapshots[0]!.verify_state]).toEqual([blow, "verified"]);
    });
    expect([...seen].sort()).toEqual([...UPLOAD].sort());
  },
  WHOLE_STRIKE_MS,
);
