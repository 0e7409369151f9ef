import type { ControlDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/index.ts";
import { PHOTO_TYPES, type PhotoType } from "./photo-format.ts";
import { photoKey } from "./photo-url.ts";
import { findPhotoOwner } from "./profiles.store.ts";

/** A stored photo. */
export type Photo = { type: PhotoType; size: number; body: ReadableStream };

/**
 * Opens the photo of a person in the member's organisation. A photo of another organisation and a missing one give the
 * same error.
 * @throws AppError `err.not.found`
 */
export async function openPhoto(
  deps: { control: ControlDatabase; avatars: R2Bucket },
  member: Pick<Member, "organisationId">,
  id: string,
): Promise<Photo> {
  const { organisationId } = member;
  const userId = await findPhotoOwner(deps.control, { organisationId, image: id });
  const object = userId && (await deps.avatars.get(photoKey(userId, id)));
  const type = object && PHOTO_TYPES.find((each) => each === object.httpMetadata?.contentType);
  if (!object || !type) throw new AppError("err.not.found");
  return { type, size: object.size, body: object.body };
}
