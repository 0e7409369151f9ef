/** A right on one platform: `user` reads only, `admin` reads and writes (spec ). */
export type Right = "user" | "admin";
export type Rights = Readonly<Record<string, Right>>;

const ROLE = /^organization_(.+)_(user|admin)$/;

/** Converts the wire's role strings to a right per platform. Unknown strings are ignored. */
export function rightsOf(roles: readonly string[]): Rights {
  const rights: Record<string, Right> = {};
  for (const role of roles) {
    const [, platform, right] = ROLE.exec(role) ?? [];
    if (platform && right) rights[platform] = right as Right;
  }
  return rights;
}

/** Converts rights to role strings, sorted by platform. */
export function rolesOf(rights: Rights): string[] {
  return Object.keys(rights)
    .sort()
    .map((platform) => `organization_${platform}_${rights[platform]}`);
}

/** Toggles a checkbox. One right replaces the other (spec A-285); toggling the current right removes it. */
export function withToggled(rights: Rights, platform: string, right: Right): Rights {
  const { [platform]: held, ...others } = rights;
  return held === right ? others : { ...others, [platform]: right };
}

export function isSameRights(a: Rights, b: Rights): boolean {
  return rolesOf(a).join() === rolesOf(b).join();
}
