import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Memory } from "#core/kernel/memory.ts";
import type { Member } from "#core/organisations/index.ts";
import { photoUrl } from "./photo-url.ts";
import { findProfile } from "./profiles.store.ts";

/** A person as shown in the frame of every screen. `picture` is the photo's URL. */
export type PersonCard = { name: string; familyName: string; picture: string | null };

/** The key of a person's card in a request's memory. */
export const cardKey = (userId: string) => `card:${userId}`;

/** Returns names and photo of the signed-in person. Null when the person was removed meanwhile. */
export async function findPersonCard(
  deps: { control: ControlDatabase; memory?: Memory; settings: { PUBLIC_URL: string } },
  member: Pick<Member, "userId" | "organisationId">,
): Promise<PersonCard | null> {
  const read = async () => {
    const found = await findProfile(deps.control, member);
    return found && toPersonCard(deps.settings, found);
  };
  return deps.memory ? deps.memory(cardKey(member.userId), read) : read();
}

/** The card of a person whose row was read already. */
export function toPersonCard(
  settings: { PUBLIC_URL: string },
  { name, familyName, image }: { name: string; familyName: string; image: string | null },
): PersonCard {
  return { name, familyName, picture: image === null ? null : photoUrl(settings, image) };
}
