import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  CONTRACT_FILES,
  contractsAreAbsent,
  contractsAreRequired,
  contractsNotice,
  folderOf,
} from "./contracts.ts";

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

/** Files of the contracts that no test reads, and why. */
const UNREAD: Readonly<Record<string, string>> = {
  "atlassian/connect-qsh-vectors.json": "Our app is a Forge app, which hashes no queries.",
  "auth/signature-vectors.json": "One example each of schemes whose tests sign for themselves.",
  "auth/totp-hotp-vectors.json": "The tests of one-time codes have the values of the RFC.",
  "s3/s3-examples.subset.json": "They have the form of Amazon's SDKs and not of S3's own answers.",
  "s3/sigv4-vectors.json": "A library signs; the tests of the client check Amazon's published examples.",
};

test.skipIf(contractsAreAbsent())(
  "every file of the contracts is read, or named with the reason why not",
  () => {
    const there = readdirSync(folderOf(process.env), { recursive: true, encoding: "utf8" });
    const files = there.filter((file) => /^[\w-]+\/.+\.json$/.test(file));
    expect(files.sort()).toEqual([...CONTRACT_FILES, ...Object.keys(UNREAD)].sort());
  },
);
