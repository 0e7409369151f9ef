import type { ControlDatabase } from "#core/database/ledgers.ts";
import { type Clock, DAY_MS } from "#core/kernel/clock.ts";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import { listNamedPhotos } from "./profiles.store.ts";

/** Number of photos that one sweep checks. */
const AT_ONCE = 1_000;

/**
 * Deletes photos that no person has: a crash may leave one between storing the new photo, naming it and deleting the
 * old one. Keeps photos younger than a day, because a photo is stored before it is named. Each sweep starts at a random
 * key and wraps around, so in time it checks every photo. The hourly tick calls it. Returns the number of deleted
 * photos.
 */
export async function sweepPhotos(
  deps: { control: ControlDatabase; clock: Clock; avatars: R2Bucket },
  { limit = AT_ONCE, startAfter = toBase64Url(randomBytes(3)) }: { limit?: number; startAfter?: string } = {},
): Promise<number> {
  const before = deps.clock.now() - DAY_MS;
  const tail = await deps.avatars.list({ startAfter, limit });
  const room = limit - tail.objects.length;
  const head = tail.truncated || room === 0 ? [] : (await deps.avatars.list({ limit: room })).objects;
  const old = [...tail.objects, ...head].filter(({ uploaded }) => uploaded.getTime() < before);
  const keys = [...new Set(old.map(({ key }) => key))];
  if (keys.length === 0) return 0;
  const named = await listNamedPhotos(deps.control, keys);
  const orphans = keys.filter((key) => !named.has(key));
  if (orphans.length > 0) await deps.avatars.delete(orphans);
  return orphans.length;
}
