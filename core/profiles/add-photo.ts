import { auditStatement } from "#core/audit/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { Member } from "#core/organisations/index.ts";
import { readPhoto } from "./photo-format.ts";
import { photoKey, photoUrl } from "./photo-url.ts";
import { isPersonThere, replacePhoto } from "./profiles.store.ts";

/**
 * Stores the person's photo and deletes the previous one. The new photo has its own name, so caches never show an old
 * copy. It is stored before it is named, so a name always refers to a photo. The audit entry is written with the
 * change.
 * @param dataUrl PNG, JPEG or BMP of at most 1 MB
 * @throws AppError `err.photo.format`, `err.photo.size`, `err.not.found` when the person was removed meanwhile
 */
export async function addPhoto(
  deps: {
    control: ControlDatabase;
    clock: Clock;
    ids: IdSource;
    avatars: R2Bucket;
    settings: { PUBLIC_URL: string };
  },
  member: Pick<Member, "userId" | "organisationId" | "name">,
  { dataUrl }: { dataUrl: string },
): Promise<{ url: string }> {
  const { type, bytes } = readPhoto(dataUrl);
  const { userId, organisationId } = member;
  const image = deps.ids.next("avatar");
  await deps.avatars.put(photoKey(userId, image), bytes, { httpMetadata: { contentType: type } });
  const entry = { organisationId, userId, userName: member.name, action: "change-photo" };
  const { isReplaced, old } = await replacePhoto(
    deps.control,
    { userId, image, now: deps.clock.now() },
    auditStatement(deps, entry, isPersonThere(userId)),
  );
  if (!isReplaced) {
    // The person was removed meanwhile.
    await deps.avatars.delete(photoKey(userId, image));
    throw new AppError("err.not.found");
  }
  if (old) await deps.avatars.delete(photoKey(userId, old));
  return { url: photoUrl(deps.settings, image) };
}
