import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Member } from "#core/organisations/index.ts";
import { photoUrl } from "./photo-url.ts";
import { findProfile } from "./profiles.store.ts";

/** A person as shown in the frame of every screen. `picture` is the photo's URL. */
export type PersonCard = { name: string; familyName: string; picture: string | null };

/** Returns names and photo of the signed-in person. Null when the person was removed meanwhile. */
export async function findPersonCard(
  deps: { control: ControlDatabase; settings: { PUBLIC_URL: string } },
  member: Pick<Member, "userId" | "organisationId">,
): Promise<PersonCard | null> {
  const found = await findProfile(deps.control, member);
  if (!found) return null;
  const { name, familyName, image } = found;
  return { name, familyName, picture: image === null ? null : photoUrl(deps.settings, image) };
}
