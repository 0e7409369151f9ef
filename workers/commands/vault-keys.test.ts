import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { areVaultKeys, rememberVaultKeys } from "./vault-keys.ts";

const [A, B] = ["A".repeat(43), "B".repeat(42).concat("A")];

test("a different key is detected, a rotation is allowed", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "vault-keys.json");
  expect(areVaultKeys(file, `1:${A}`)).toBe(true);
  rememberVaultKeys(file, `1:${A}`);
  expect(areVaultKeys(file, `1:${A}`)).toBe(true);
  expect(areVaultKeys(file, `1:${B}`)).toBe(false);
  expect(areVaultKeys(file, `2:${A}`)).toBe(false);
  expect(areVaultKeys(file, `1:${A},2:${B}`)).toBe(true);
  rememberVaultKeys(file, `1:${A},2:${B}`);
  expect(areVaultKeys(file, `2:${B}`)).toBe(true);
  expect(areVaultKeys(file, `1:${A}`)).toBe(false);
  expect(readFileSync(file, "utf8")).not.toContain(B);
});
