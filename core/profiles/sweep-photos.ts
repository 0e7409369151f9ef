import type { ControlDatabase } from "#core/database/ledgers.ts";
import { type Clock, DAY_MS } from "#core/kernel/clock.ts";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import { listNamedPhotos } from "./profiles.store.ts";

/** Photos looked at by one sweep. */
const AT_ONCE = 1_000;

/**
 * Deletes photos that no person has any more: what a crash left between storing a photo, naming it and deleting the
 * one before. Younger ones stay, for a photo is stored before it is named. Each sweep begins somewhere else and goes on
 * from the beginning after the end, so that in time it meets every photo however many there are; the hourly tick calls
 * it. Answers how many went.
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
