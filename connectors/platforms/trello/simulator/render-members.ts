import { type Body, pick, textData } from "./render.ts";
import type { Member, Membership, Organization, Token, TrelloWorld } from "./state.ts";
import { isPaid } from "./store.ts";

/** The default fields of a nested member. */
export const MEMBER_FIELDS =
  "activityBlocked,avatarHash,avatarUrl,fullName,idMemberReferrer,initials,nonPublic,nonPublicAvailable,username";

/** A member; `isOwn` adds the fields that only they see. */
export function renderMember(
  world: TrelloWorld,
  member: Member,
  view: { fields?: string; standard?: string; isOwn?: boolean; hasEmail?: boolean } = {},
): Body {
  const { state } = world;
  const organizations = state.organizations.filter(({ memberships }) => has(memberships, member));
  const full: Body = {
    id: member.id,
    bio: member.bio,
    bioData: { emoji: {} },
    confirmed: true,
    memberType: "normal",
    username: member.username,
    aaId: `557058:${member.id}`,
    activityBlocked: false,
    avatarHash: null,
    avatarUrl: null,
    fullName: member.fullName,
    idEnterprise: null,
    idEnterprisesDeactivated: [],
    idMemberReferrer: null,
    idPremOrgsAdmin: [],
    initials: member.initials,
    nonPublic: {},
    nonPublicAvailable: view.isOwn === true,
    products: [],
    url: `${world.url}/${member.username}`,
    status: "disconnected",
    idBoards: state.boards.filter(({ memberships }) => has(memberships, member)).map(({ id }) => id),
    idOrganizations: organizations.map(({ id }) => id),
    premiumFeatures: [],
    ...(view.isOwn ? ownFields(member, view.hasEmail === true) : {}),
  };
  return pick(world, full, view.fields, view.standard ?? "all");
}

function ownFields(member: Member, hasEmail: boolean): Body {
  return {
    aaEmail: null,
    aaEnrolledDate: null,
    avatarSource: "none",
    credentialsRemovedCount: 0,
    // Only the scope `account` shows the e-mail address.
    email: hasEmail ? member.email : null,
    idEnterprisesAdmin: [],
    loginTypes: ["atlassian"],
    oneTimeMessagesDismissed: [],
    prefs: { colorBlind: false, locale: "en-GB", sendSummaries: true },
    trophies: [],
  };
}

/** A membership of a board or workspace. */
export function renderMembership(membership: Membership): Body {
  const { id, idMember, memberType, isDeactivated } = membership;
  return { id, idMember, memberType, unconfirmed: false, deactivated: isDeactivated };
}

/** The features of each plan. */
const FEATURES: Record<Organization["plan"], readonly string[]> = {
  free: [],
  standard: [
    "additionalStickers",
    "customBoardBackgrounds",
    "customStickers",
    "largeAttachments",
    "advancedChecklists",
  ],
  premium: [
    ...["additionalStickers", "customBoardBackgrounds", "customStickers", "largeAttachments"],
    ...["advancedChecklists", "observers", "views", "csvExport", "workspaceViews"],
  ],
  enterprise: [
    ...["additionalStickers", "customBoardBackgrounds", "customStickers", "largeAttachments"],
    ...["advancedChecklists", "observers", "views", "csvExport", "workspaceViews", "enterpriseUI"],
  ],
};

/** The features of a workspace's plan; a board without workspace has none. */
export function premiumFeatures(organization: Organization | null): string[] {
  return organization === null ? [] : [...FEATURES[organization.plan]];
}

/** A workspace. */
export function renderOrganization(
  world: TrelloWorld,
  organization: Organization,
  view: { fields?: string; standard?: string } = {},
): Body {
  const boards = world.state.boards.filter(({ idOrganization }) => idOrganization === organization.id);
  const full: Body = {
    id: organization.id,
    name: organization.name,
    displayName: organization.displayName,
    desc: organization.desc,
    descData: textData(organization.desc),
    website: null,
    teamType: null,
    idMemberCreator: organization.idMemberCreator,
    invited: false,
    invitations: [],
    prefs: {
      permissionLevel: "private",
      orgInviteRestrict: [],
      boardInviteRestrict: "any",
      externalMembersDisabled: false,
      associatedDomain: null,
      googleAppsVersion: 1,
      boardVisibilityRestrict: { private: "org", org: "org", enterprise: "org", public: "org" },
      boardDeleteRestrict: { private: "org", org: "org", enterprise: "org", public: "org" },
      attachmentRestrictions: null,
    },
    powerUps: [],
    products: isPaid(organization) ? [PRODUCTS[organization.plan]] : [],
    offering: `trello.${organization.plan}`,
    url: `${world.url}/w/${organization.name}`,
    logoHash: null,
    logoUrl: null,
    premiumFeatures: premiumFeatures(organization),
    idEnterprise: null,
    limits: {},
    billableMemberCount: organization.memberships.length,
    memberships: organization.memberships.map(renderMembership),
    idBoards: boards.map(({ id }) => id),
  };
  return pick(world, full, view.fields, view.standard ?? "all");
}

const PRODUCTS: Record<Organization["plan"], number> = {
  free: 0,
  standard: 111,
  premium: 110,
  enterprise: 112,
};

/** A token as `/tokens/:token` shows it. */
export function renderToken(token: Token): Body {
  const can = (verb: string) => token.scopes.some((scope) => scope.startsWith(verb));
  const permission = { idModel: "*", read: can("read"), write: can("write") };
  const types = ["Board", "Organization"].map((modelType) => ({ modelType, ...permission }));
  return {
    id: token.id,
    identifier: "Holdfast",
    idMember: token.idMember,
    dateCreated: new Date(token.createdAt).toISOString(),
    dateExpires: token.expiresAt === null ? null : new Date(token.expiresAt).toISOString(),
    permissions: [{ ...permission, idModel: token.idMember, modelType: "Member" }, ...types],
  };
}

function has(memberships: readonly Membership[], { id }: Member): boolean {
  return memberships.some(({ idMember, isDeactivated }) => idMember === id && !isDeactivated);
}
