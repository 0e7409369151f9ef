/** Right on one platform: `user` reads only, `admin` reads and writes (spec ). */
export type Right = "user" | "admin";
export type Rights = Readonly<Record<string, Right>>;

const ROLE = /^organization_(.+)_(user|admin)$/;

/** The role strings of the wire as a right per platform; strings of another form are passed over. */
export function rightsOf(roles: readonly string[]): Rights {
  const rights: Record<string, Right> = {};
  for (const role of roles) {
    const [, platform, right] = ROLE.exec(role) ?? [];
    if (platform && right) rights[platform] = right as Right;
  }
  return rights;
}

/** Rights as role strings, in order of the platforms' names. */
export function rolesOf(rights: Rights): string[] {
  return Object.keys(rights)
    .sort()
    .map((platform) => `organization_${platform}_${rights[platform]}`);
}

/** Ticks a box: one right of the pair replaces the other (spec A-285); ticking the held one takes it away. */
export function withToggled(rights: Rights, platform: string, right: Right): Rights {
  const { [platform]: held, ...others } = rights;
  return held === right ? others : { ...others, [platform]: right };
}

export function isSameRights(a: Rights, b: Rights): boolean {
  return rolesOf(a).join() === rolesOf(b).join();
}
