import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSeededState } from "./seeded-state.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "seeded-state-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
const empty = () => ({ names: [] as string[] });

test("a first start that fails leaves nothing, and the next one starts with empty folders", async () => {
  const folder = temporaryFolder();
  const first = openSeededState(folder, empty);
  const half = first.seed(["files"], () => {
    mkdirSync(join(folder, "files"));
    writeFileSync(join(folder, "files/half"), "");
    first.state.names.push("half");
    first.save();
    throw new Error("interrupted");
  });
  await expect(half).rejects.toThrow("interrupted");
  first.close();

  const second = openSeededState(folder, empty);
  expect(second.state.names).toEqual([]);
  await second.seed(["files"], () => void second.state.names.push("whole"));
  expect(existsSync(join(folder, "files/half"))).toBe(false);
  second.close();
});

test("a later start keeps what the first one made, and saves changes", async () => {
  const folder = temporaryFolder();
  const first = openSeededState(folder, empty);
  await first.seed([], () => void first.state.names.push("seeded"));
  first.state.names.push("later");
  first.save();
  first.close();

  const second = openSeededState(folder, empty);
  await second.seed(["files"], () => void second.state.names.push("again"));
  expect(second.state.names).toEqual(["seeded", "later"]);
  second.close();
});
