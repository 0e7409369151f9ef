import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import { readPhoto } from "./photo-format.ts";
import { photoKey, photoUrl } from "./photo-url.ts";
import { replacePhoto } from "./profiles.store.ts";

/**
 * Stores the person's photo and deletes the one before. The new one has a name of its own, so nobody is shown an old
 * copy; it is stored before it is named, so a name always leads to a photo.
 * @param dataUrl PNG, JPEG or BMP of at most 1 MB
 * @throws AppError `err.photo.format`, `err.photo.size`
 */
export async function addPhoto(
  deps: {
    control: ControlDatabase;
    clock: Clock;
    ids: IdSource;
    avatars: R2Bucket;
    settings: { PUBLIC_URL: string };
  },
  member: Pick<Member, "userId">,
  { dataUrl }: { dataUrl: string },
): Promise<{ url: string }> {
  const { type, bytes } = readPhoto(dataUrl);
  const { userId } = member;
  const image = deps.ids.next("avatar");
  await deps.avatars.put(photoKey(userId, image), bytes, { httpMetadata: { contentType: type } });
  const { isReplaced, old } = await replacePhoto(deps.control, { userId, image, now: deps.clock.now() });
  if (!isReplaced) {
    // The person was removed meanwhile.
    await deps.avatars.delete(photoKey(userId, image));
    throw new AppError("err.not.found");
  }
  if (old) await deps.avatars.delete(photoKey(userId, old));
  return { url: photoUrl(deps.settings, image) };
}
