import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { parseMasterKeys } from "#core/vault/index.ts";

const record = z.object({ version: z.number(), sha256: z.string() });

/**
 * True when these master keys fit the local vault: the newest key of the last run must be among them. Without an
 * earlier run, true. Only a hash is stored.
 */
export function areVaultKeys(file: string, masterKeys: string): boolean {
  if (!existsSync(file)) return true;
  const { version, sha256 } = record.parse(JSON.parse(readFileSync(file, "utf8")));
  const key = parseMasterKeys(masterKeys).keys.get(version);
  return key !== undefined && hashOf(key) === sha256;
}

/** Stores a hash of the newest key for the next run. */
export function rememberVaultKeys(file: string, masterKeys: string): void {
  const { newest, keys } = parseMasterKeys(masterKeys);
  const sha256 = hashOf(keys.get(newest) ?? new Uint8Array());
  writeFileSync(file, `${JSON.stringify({ version: newest, sha256 })}\n`);
}

function hashOf(key: Uint8Array): string {
  return createHash("sha256").update(key).digest("hex");
}
