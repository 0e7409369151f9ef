import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { parseMasterKeys } from "#core/vault/index.ts";

const record = z.object({ version: z.number(), sha256: z.string() });

/**
 * True when these are the master keys that the local vault was sealed with before: its newest key must still be among
 * them. A first look has nothing to compare with. Only a hash is kept.
 */
export function areVaultKeys(file: string, masterKeys: string): boolean {
  if (!existsSync(file)) return true;
  const { version, sha256 } = record.parse(JSON.parse(readFileSync(file, "utf8")));
  const key = parseMasterKeys(masterKeys).keys.get(version);
  return key !== undefined && hashOf(key) === sha256;
}

/** Remembers the newest of these keys for the next look. */
export function rememberVaultKeys(file: string, masterKeys: string): void {
  const { newest, keys } = parseMasterKeys(masterKeys);
  const sha256 = hashOf(keys.get(newest) ?? new Uint8Array());
  writeFileSync(file, `${JSON.stringify({ version: newest, sha256 })}\n`);
}

function hashOf(key: Uint8Array): string {
  return createHash("sha256").update(key).digest("hex");
}
