import { OFFERED_PLATFORMS } from "#app/shell/known-platforms.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";

/** What is backed up of a platform (spec part 1 section 1), where its kinds of item do not say it all. */
const ITEMS: Readonly<Record<string, string>> = {
  github: "Repositories, gists, organisations",
};

/** The apps that a new user can select (spec A-133), and what is backed up of each. */
export const APPS_TO_PROTECT = OFFERED_PLATFORMS.map(({ id, label }) => ({
  id,
  label,
  items: ITEMS[id] ?? kindsOf(id),
}));

function kindsOf(platform: string): string {
  const kinds = descriptors.find(({ id }) => id === platform)?.itemKinds ?? [];
  const text = kinds.map(({ many }) => many).join(", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
