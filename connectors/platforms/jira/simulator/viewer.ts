import type { JiraWorld, Member, Person, Site, Token } from "./state.ts";

/** Who asks which site for something, and by what right. */
export type Viewer = {
  world: JiraWorld;
  site: Site;
  person: Person;
  member: Member;
  /** `app` = by OAuth, which draws on the points of the app; `token` = by an API token, which does not. */
  via: "app" | "token";
  /** Null = every scope. */
  scopes: readonly string[] | null;
  token: Token | null;
  /** Where the API of the site is reached, for `self` addresses. */
  base: string;
};

/** The viewer that a person is at a site when the simulator acts itself, with every scope. */
export function viewerFor(world: JiraWorld, site: Site, person: Person): Viewer {
  const member = site.members.find(({ accountId }) => accountId === person.accountId);
  if (!member) throw new Error(`${person.displayName} is not at ${site.name}`);
  const base = `${world.url}/ex/jira/${site.cloudId}`;
  return { world, site, person, member, via: "token", scopes: null, token: null, base };
}
