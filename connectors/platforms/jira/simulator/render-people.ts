import type { Person } from "./state.ts";
import { personOf } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/** A person as fields of issues show them. Jira hides addresses of people who did not make theirs public. */
export function renderPerson(viewer: Viewer, accountId: string): Record<string, unknown> {
  return renderUser(viewer, personOf(viewer.world, accountId));
}

/** A person, or null for nobody. */
export function renderPersonOrNull(viewer: Viewer, accountId: unknown): Record<string, unknown> | null {
  return typeof accountId === "string" ? renderPerson(viewer, accountId) : null;
}

/** A user as the user resources show them. */
export function renderUser(viewer: Viewer, person: Person): Record<string, unknown> {
  const isSelf = person.accountId === viewer.person.accountId;
  return {
    self: `${viewer.base}/rest/api/3/user?accountId=${encodeURIComponent(person.accountId)}`,
    accountId: person.accountId,
    // Only an own address, or one that was made public, is shown.
    ...(isSelf ? { emailAddress: person.email } : {}),
    avatarUrls: avatars(viewer, person.displayName),
    displayName: person.displayName,
    active: person.isActive,
    timeZone: person.timeZone,
    accountType: person.accountType,
  };
}

/** Pictures in the four sizes. */
export function avatars({ world }: Viewer, name: string): Record<string, string> {
  const address = `${world.url}/avatars/${encodeURIComponent(name)}.svg`;
  return Object.fromEntries(["48x48", "24x24", "16x16", "32x32"].map((size) => [size, address]));
}
