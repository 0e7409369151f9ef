import { env } from "cloudflare:workers";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { ledgerBindings } from "./ledger-bindings.ts";
import { assertSmallRowsOf } from "./row-sizes.ts";

/** Empties every database and bucket. The sweeps serve all organisations, so tests must not leave any behind. */
export async function emptyEverything(): Promise<void> {
  const databases = [env.DB, ...ledgerBindings()];
  await Promise.all([
    ...databases.map(emptyDatabase),
    ...[...REGIONS.map((region) => env[`VAULT_${region}`]), env.AVATARS, env.DUMPS].map(emptyBucket),
  ]);
}

async function emptyDatabase(database: D1Database): Promise<void> {
  const filled = await assertSmallRowsOf(database);
  if (filled.length === 0) return;
  await database.batch([
    database.prepare("PRAGMA defer_foreign_keys = ON"),
    // First what closes a ledger to writers: it would refuse every deletion after it.
    ...filled
      .toSorted((a, b) => Number(b === "moving_organisation") - Number(a === "moving_organisation"))
      .map((name) => database.prepare(`DELETE FROM "${name}"`)),
  ]);
}

/** Every key in a bucket. */
export async function listKeys(bucket: R2Bucket): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list(cursor === undefined ? {} : { cursor });
    keys.push(...page.objects.map(({ key }) => key));
    if (!page.truncated) return keys;
    cursor = page.cursor;
  }
}

/** The same without the marks of erasures, which stay. */
export const listObjectKeys = async (bucket: R2Bucket) =>
  (await listKeys(bucket)).filter((key) => !key.startsWith("erased/"));

async function emptyBucket(bucket: R2Bucket): Promise<void> {
  const keys = await listKeys(bucket);
  for (let at = 0; at < keys.length; at += 1_000) await bucket.delete(keys.slice(at, at + 1_000));
}
