import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Member } from "#core/organisations/index.ts";
import { photoUrl } from "./photo-url.ts";
import { findProfile } from "./profiles.store.ts";

/** Somebody as the frame of every screen shows them; `picture` is the photo's address. */
export type PersonCard = { name: string; familyName: string; picture: string | null };

/** Names and photo of the person who is signed in; null when they were removed meanwhile. */
export async function findPersonCard(
  deps: { control: ControlDatabase; settings: { PUBLIC_URL: string } },
  member: Pick<Member, "userId" | "organisationId">,
): Promise<PersonCard | null> {
  const found = await findProfile(deps.control, member);
  if (!found) return null;
  const { name, familyName, image } = found;
  return { name, familyName, picture: image === null ? null : photoUrl(deps.settings, image) };
}
