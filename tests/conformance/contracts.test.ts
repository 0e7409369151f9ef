import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { contractsAreRequired, contractsNotice } from "./contracts.ts";

const folder = mkdtempSync(path.join(tmpdir(), "holdfast-contracts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The files that a notice reports as missing. */
const named = (notice: string) => [...notice.matchAll(/\bno (\S+\.json)/g)].map(([, file]) => file!);

test("a run without contracts says in one line that nothing was checked and how to get them", () => {
  const notice = contractsNotice({ CONTRACTS_DIR: path.join(folder, "nothing-here") });
  expect(notice).toContain("Simulators were not held against the published contracts");
  expect(notice).toContain("CONTRACTS_DIR");
  expect(notice).toContain("tests/conformance/README.md");
  expect(notice).not.toContain("\n");
});

test("a missing file counts as no contracts and is named; a complete folder has no message", () => {
  const half = path.join(folder, "half");
  const put = (file: string) => {
    mkdirSync(path.dirname(path.join(half, file)), { recursive: true });
    writeFileSync(path.join(half, file), "{}");
  };
  put("github/recorded.json");
  const missing = named(contractsNotice({ CONTRACTS_DIR: half })!);
  expect(missing).not.toContain("github/recorded.json");
  expect(missing.length).toBeGreaterThan(5);
  for (const file of missing.slice(1)) put(file);
  expect(named(contractsNotice({ CONTRACTS_DIR: half })!)).toEqual(missing.slice(0, 1));
  put(missing[0]!);
  expect(contractsNotice({ CONTRACTS_DIR: half })).toBeNull();
});

test("only the value required fails a run without contracts", () => {
  expect(contractsAreRequired({ CONTRACTS: "required" })).toBe(true);
  expect(contractsAreRequired({})).toBe(false);
  expect(contractsAreRequired({ CONTRACTS: "" })).toBe(false);
});
