import { expect, test } from "vitest";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { connector as template } from "#connectors/platforms/_template/connector.ts";
import { VaultError } from "#core/vault/index.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { OpenVersion } from "./open-for-reading.ts";
import { restorableParts } from "./restorable-parts.ts";

const PATHS = ["cards/1.json", "board.json", "cards/none.json", "__proto__"];

/** A version of a board with one card. */
async function version(
  restores: PlatformConnector["descriptor"]["supports"]["restores"],
  verifyState = "verified",
) {
  const view = await takeSnapshot(
    (async function* () {
      yield { type: "record", path: "board.json", kind: "board", value: {} } as const;
      yield { type: "record", path: "cards/1.json", kind: "card", value: {} } as const;
    })(),
  );
  const { descriptor } = template;
  const supports = { ...descriptor.supports, restores };
  const connector = { ...template, descriptor: { ...descriptor, supports } };
  const item = { kind: descriptor.itemKinds[0]?.id };
  return { connector, item, view, snapshot: { verifyState } } as unknown as OpenVersion;
}

test("an entry of a kind that the platform names can be restored by itself, under the platform's word", async () => {
  const parts = { kinds: ["card"], into: ["new"] as const };
  const found = await restorableParts(await version({ whole: ["new"], parts }), PATHS);
  expect(found).toEqual({ "cards/1.json": { kind: "card", one: "card" } });
  const unnamed = { kinds: ["board", "card"], into: ["new"] as const };
  expect(
    Object.keys(await restorableParts(await version({ whole: ["new"], parts: unnamed }), PATHS)),
  ).toEqual(["cards/1.json", "board.json"]);
});

test("nothing of a damaged version can be restored, nor of a platform that restores no parts", async () => {
  const parts = { kinds: ["card"], into: ["new"] as const };
  expect(await restorableParts(await version({ whole: ["new"], parts }, "failed"), PATHS)).toEqual({});
  expect(await restorableParts(await version({ whole: ["new"], parts: null }), PATHS)).toEqual({});
});

test("a version whose list of entries is damaged is unreadable", async () => {
  const open = await version({ whole: ["new"], parts: { kinds: ["card"], into: ["new"] } });
  const find = async () => {
    throw new VaultError("tampered", "a chunk of the manifest does not have its hash");
  };
  const damaged = { ...open, view: { ...open.view, find } };
  await expect(restorableParts(damaged, PATHS)).rejects.toMatchObject({ code: "err.version.unreadable" });
});
