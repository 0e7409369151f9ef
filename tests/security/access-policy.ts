import { PLATFORM } from "#tests/harness/flow-world.ts";
import { BOARD_PLATFORM } from "./board-platform-policy.ts";
import { JIRA } from "./jira-policy.ts";
import { NOTION } from "./notion-policy.ts";
import { PAYMENTS } from "./payments-policy.ts";
import type { Line, May } from "./policy-line.ts";
import { SECOND_PLATFORM } from "./second-platform-policy.ts";
import type { Actor } from "./security-world.ts";

/** The actors that each value of `May` lets in. */
const LETS_IN: Record<May, readonly Actor[]> = {
  everyone: [
    "owner",
    "admin",
    "reader",
    "without role",
    "other owner",
    "former member",
    "expired session",
    "anonymous",
  ],
  members: ["owner", "admin", "reader", "without role", "other owner"],
  users: ["owner", "admin", "reader", "other owner"],
  managers: ["owner", "admin", "other owner"],
  owner: ["owner", "other owner"],
};

/** The actors that have a session. */
const SIGNED_IN = LETS_IN.members;

/** The expected outcome for an actor: let in, refused for lack of a role, or asked to sign in. */
export function verdictOf(may: May, actor: Actor): "in" | "refused" | "sign in" {
  if (LETS_IN[may].includes(actor)) return "in";
  return SIGNED_IN.includes(actor) ? "refused" : "sign in";
}

const PASSWORD = "qV7$wRk9Zt!mXp";
const NAMES = { name: "Per", family_name: "Holm" };
/** A picture of one pixel. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const freshEmail = () => `p-${crypto.randomUUID().slice(0, 12)}@meridian.example`;
const github = (path: string) => `/api/${PLATFORM}/${path}`;

/** Every API call, the live connection, and the downloads of versions. Screens have a table of their own. */
export const POLICY: Readonly<Record<string, Line>> = {
  "GET /api/openapi.json": { may: "everyone", ok: 200 },

  // Identity: no session needed; the request decides
  "POST /identity/sign-up": {
    may: "everyone",
    ok: 200,
    send: () => ({ body: { ...NAMES, email: freshEmail(), password: PASSWORD } }),
  },
  "POST /identity/sign-in": {
    may: "everyone",
    ok: 401,
    send: () => ({ body: { email: freshEmail(), password: "x" } }),
  },
  "POST /identity/sign-out": { may: "everyone", ok: 200 },
  "GET /identity/two-factor/challenge": { may: "everyone", ok: 401 },
  "POST /identity/two-factor/answer": {
    may: "everyone",
    ok: 401,
    send: () => ({ body: { code: "000000" } }),
  },
  "POST /identity/forgot-password": {
    may: "everyone",
    ok: 200,
    send: () => ({ body: { email: freshEmail() } }),
  },
  "POST /identity/confirm-password": {
    may: "everyone",
    ok: 400,
    send: () => ({ body: { email: freshEmail(), code: "ABCD-EFGH", new_password: PASSWORD } }),
  },
  "POST /identity/complete-invitation": {
    may: "everyone",
    ok: 400,
    send: () => ({
      body: {
        email: freshEmail(),
        confirmation_code: "ABCD-EFGH",
        new_password: PASSWORD,
        firstName: "Per",
        lastName: "Holm",
      },
    }),
  },
  "POST /identity/complete-sign-up": {
    may: "everyone",
    ok: 400,
    send: () => ({
      body: { iv: "a", content: "b", new_password: PASSWORD, firstName: "Per", lastName: "Holm" },
    }),
  },
  // Calls of a host are signed by it; without its app's settings they do not exist
  "POST /forge/session": { may: "everyone", ok: 404 },
  "POST /forge/tick": { may: "everyone", ok: 404 },
  // The signature decides
  "POST /hooks/:platform": { may: "everyone", ok: 404 },
  "POST /identity/host/exchange": {
    may: "everyone",
    ok: 403,
    send: () => ({
      body: { code: "c".repeat(43), verifier: "v".repeat(43), origin: "https://shell.example" },
    }),
  },
  // The code is refused outside of a frame
  "POST /identity/host/connect": {
    may: "members",
    ok: 403,
    send: () => ({
      body: { code: "c".repeat(43), verifier: "v".repeat(43), origin: "https://shell.example" },
    }),
  },
  "GET /identity/host/frame": { may: "everyone", ok: 200 },
  "GET /identity/federation/start": { may: "everyone", ok: 302 },
  "GET /identity/federation/callback": { may: "everyone", ok: 302 },
  "POST /api/email-verification": {
    may: "everyone",
    ok: 400,
    send: () => ({ body: { iv: "a", content: "b" } }),
  },
  "POST /api/resend-email-verification": {
    may: "everyone",
    ok: 200,
    send: () => ({ body: { email: freshEmail() } }),
  },
  "POST /api/send-active-campaign-tags": {
    may: "everyone",
    ok: 200,
    send: () => ({ body: { email: freshEmail(), appsToProtect: [PLATFORM] } }),
  },

  // Identity: a person's own account
  "POST /identity/update-profile": { may: "members", ok: 200, send: () => ({ body: NAMES }) },
  "POST /identity/two-factor/secret": { may: "members", ok: 200 },
  "POST /identity/two-factor/verify": {
    may: "members",
    ok: [400, 429],
    send: () => ({ body: { code: "000000" } }),
  },
  "POST /identity/two-factor/enable": { may: "members", ok: [400, 403] },
  "POST /identity/two-factor/disable": { may: "members", ok: [400, 403] },
  "POST /identity/two-factor/recovery-codes": { may: "members", ok: [400, 403] },
  "GET /identity/two-factor/check": { may: "members", ok: 200 },
  "POST /api/user/change-user-password": {
    may: "members",
    ok: [400, 409],
    send: () => ({ body: { oldPassword: "not-the-one", newPassword: PASSWORD } }),
  },
  "GET /api/user/get-user-start-info": { may: "members", ok: 200 },
  "POST /api/user/update": { may: "members", ok: 200, send: () => ({ body: NAMES }) },
  "POST /api/user/add-profile-image": { may: "members", ok: 200, send: () => ({ body: { avatar: PIXEL } }) },
  "POST /api/user/user-action": { may: "members", ok: 200, send: () => ({ body: { action: "login" } }) },
  "GET /api/user/email-preferences": { may: "members", ok: 200 },
  "PUT /api/user/email-preferences": {
    may: "members",
    ok: 200,
    send: () => ({
      body: { email_preferences: { is_active: true, frequency: "daily", report_type: "all" } },
    }),
  },
  "PUT /api/user/subscribe-mail-sending": {
    may: "members",
    ok: 200,
    send: () => ({ body: { isSubscribedToMail: true } }),
  },

  // The organisation: its people, names and billing belong to the owner
  "GET /api/user/organization-users": { may: "owner", ok: 200 },
  "POST /api/user/organization-user": {
    may: "owner",
    ok: 200,
    send: () => ({ body: { email: freshEmail(), roles: [`organization_${PLATFORM}_user`] } }),
  },
  "PUT /api/user/organization-user": {
    may: "owner",
    ok: 200,
    ids: ["person"],
    send: ({ person }) => ({ body: { targetUserSub: person, roles: [`organization_${PLATFORM}_admin`] } }),
  },
  "DELETE /api/user/organization-user": {
    may: "owner",
    ok: 200,
    ids: ["person"],
    send: ({ person }) => ({ body: { targetUserSub: person } }),
  },
  "POST /api/user/hand-over-ownership": {
    may: "owner",
    // The people of this world have no password.
    ok: 409,
    ids: ["person"],
    send: ({ person }) => ({ body: { targetUserSub: person, password: PASSWORD } }),
  },
  "POST /api/user/close-account": {
    may: "owner",
    ok: [400, 409],
    send: () => ({ body: { email: "nobody@meridian.example", password: PASSWORD } }),
  },
  "POST /api/user/organization/name": {
    may: "owner",
    ok: 200,
    send: () => ({ body: { organization_name: "Meridian" } }),
  },
  "PUT /api/user/account-type": {
    may: "owner",
    ok: 200,
    send: () => ({ body: { account_type: "Organization" } }),
  },
  "GET /api/user/actions-history": { may: "members", ok: 200 },
  "GET /api/user/runs": { may: "members", ok: 200 },
  "GET /api/user/search-items": { may: "members", ok: 200, send: () => ({ query: { text: "a" } }) },
  "GET /api/user/search-names": { may: "members", ok: 200, send: () => ({ query: { text: "a" } }) },
  "GET /api/payments/get-platforms-trial-statuses": { may: "members", ok: 200 },
  "GET /api/payments/stripe-get-prices/": { may: "members", ok: 200 },
  ...PAYMENTS,
  "GET /.well-known/security.txt": { may: "everyone", ok: 200 },
  "GET /avatars/:id": {
    may: "members",
    ok: 200,
    ids: ["avatar"],
    send: ({ avatar }) => ({ path: `/avatars/${avatar}` }),
  },

  // E-mail: a sealed link grants access
  "PUT /api/subscribe-mail-sending": {
    may: "everyone",
    ok: 400,
    send: () => ({ body: { iv: "a", content: "b" } }),
  },
  "GET /api/mail/unsubscribe": { may: "everyone", ok: 302 },
  "HEAD /api/mail/unsubscribe": { may: "everyone", ok: 302 },
  "POST /api/mail/unsubscribe": { may: "everyone", ok: 400 },
  "POST /api/contactus": {
    may: "everyone",
    ok: 200,
    send: () => ({
      body: {
        first_name: "Per",
        last_name: "Holm",
        company: "Meridian",
        email: freshEmail(),
        question: "How long do you keep versions?",
      },
    }),
  },

  // Routes whose access depends on a state, a signature or the session itself
  "GET /connect/:platform/callback": {
    may: "everyone",
    ok: 302,
    send: () => ({ path: `/connect/${PLATFORM}/callback` }),
  },
  "GET /storage/:kind/callback": { may: "everyone", ok: 302, send: () => ({ path: "/storage/s3/callback" }) },
  "POST /connect/:platform/callback": {
    may: "everyone",
    ok: 302,
    send: () => ({ path: `/connect/${PLATFORM}/callback` }),
  },
  "GET /:page{[a-z0-9-]+-approve-hidden}": {
    may: "everyone",
    ok: 200,
    send: () => ({ path: `/${PLATFORM}-approve-hidden` }),
  },
  "GET /:stage/:platform/:callback{login-[a-z0-9-]+-callback}": {
    may: "everyone",
    ok: 302,
    send: () => ({ path: `/app/${PLATFORM}/login-${PLATFORM}-callback` }),
  },
  "GET /ws": { may: "members", ok: 101, isTriedApart: true },
  "GET /download/:token": { may: "everyone", ok: 200, isTriedApart: true },
  "POST /clone/:token/:name/git-upload-pack": { may: "everyone", ok: 200, isTriedApart: true },
  "GET /clone/:token/:name/:path{.+}": { may: "everyone", ok: 200, isTriedApart: true },

  // Dashboard
  "GET /api/user/dashboard": { may: "members", ok: 200 },
  "GET /api/user/dashboard/recent-activity": {
    may: "users",
    ok: 200,
    send: () => ({ query: { platform: PLATFORM } }),
  },

  // Shared calls
  "POST /api/user/get-items-backups": {
    may: "users",
    ok: 200,
    ids: ["item"],
    send: ({ item }) => ({ body: { itemId: item } }),
  },
  "POST /api/user/get-items-versions": {
    may: "users",
    ok: 200,
    ids: ["item"],
    send: ({ item }) => ({ body: { platform: PLATFORM, ids: [{ id: item }] } }),
  },
  "POST /api/user/get-actions": {
    may: "users",
    ok: 200,
    ids: ["item"],
    send: ({ item }) => ({ body: { platform: PLATFORM, id: item } }),
  },
  // Browsing versions: the rows of these calls are copies, so no other item's key decrypts their bytes.
  "GET /api/versions/entries": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot } }),
  },
  "GET /api/versions/record": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({
      query: { itemId: item, snapshotId: snapshot, path: "repository.json" },
    }),
  },
  "GET /api/versions/files": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot } }),
  },
  "GET /api/versions/file-sizes": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot } }),
  },
  "GET /api/versions/views": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot } }),
  },
  // Views, threads, pages, tables and rows are looked up only inside the version.
  "GET /api/versions/threads": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    notOurs: ["view"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot, view: "issues" } }),
  },
  "GET /api/versions/thread": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    notOurs: ["thread"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot, thread: "1" } }),
  },
  "GET /api/versions/pages": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot } }),
  },
  "GET /api/versions/page": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    notOurs: ["page"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot, page: "pag_1" } }),
  },
  "GET /api/versions/table": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot } }),
  },
  "GET /api/versions/row": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    notOurs: ["row"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot, row: "row_1" } }),
  },
  "GET /api/versions/board": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot } }),
  },
  "GET /api/versions/board-column": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    // Columns and cards are looked up only inside the version.
    notOurs: ["column"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot, column: "lst_1" } }),
  },
  "GET /api/versions/card": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    notOurs: ["card"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, snapshotId: snapshot, card: "crd_1" } }),
  },
  "GET /api/versions/restore-plan": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot", "place"],
    // The id of an item at the platform, not one of ours.
    notOurs: ["into"],
    send: ({ item, snapshot, place }) => ({
      query: { itemId: item, snapshotId: snapshot, placeId: place },
    }),
  },
  "GET /api/versions/restore-part-plan": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({
      query: { itemId: item, snapshotId: snapshot, path: "repository.json" },
    }),
  },
  "GET /api/versions/restore-questions": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot", "place"],
    // The id of an item at the platform, not one of ours.
    notOurs: ["into"],
    send: ({ item, snapshot, place }) => ({
      query: { itemId: item, snapshotId: snapshot, placeId: place },
    }),
  },
  "GET /api/versions/restore-targets": {
    may: "managers",
    ok: 200,
    ids: ["item"],
    send: ({ item }) => ({ query: { itemId: item } }),
  },
  "POST /api/versions/restore-part": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    // Items and places at the platform. The account itself must have access to them.
    notOurs: ["into", "place"],
    send: ({ item, snapshot }) => ({
      body: { itemId: item, snapshotId: snapshot, path: "repository.json" },
    }),
  },
  "POST /api/user/acknowledge-alarms": {
    may: "managers",
    ok: 200,
    ids: ["item"],
    send: ({ item }) => ({ body: { itemId: item } }),
  },
  "POST /api/versions/erase": {
    may: "owner",
    ok: 200,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ body: { itemId: item, snapshotId: snapshot } }),
  },
  "PUT /api/user/alarm-limits": {
    may: "managers",
    ok: 200,
    ids: ["item"],
    send: ({ item }) => ({ body: { itemId: item, lostPercent: 20, lostCount: 100 } }),
  },
  "GET /api/versions/compare": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ query: { itemId: item, beforeId: snapshot, afterId: snapshot } }),
  },
  "GET /api/versions/compare-record": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({
      query: { itemId: item, beforeId: snapshot, afterId: snapshot, path: "repository.json" },
    }),
  },
  "GET /api/versions/compare-part": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    // Views and parts are looked up only inside the versions.
    notOurs: ["view", "part"],
    send: ({ item, snapshot }) => ({
      query: { itemId: item, beforeId: snapshot, afterId: snapshot, view: "issues", part: "1" },
    }),
  },
  "GET /api/versions/proposal": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    notOurs: ["view", "part"],
    send: ({ item, snapshot }) => ({
      query: { itemId: item, snapshotId: snapshot, view: "pulls", part: "1" },
    }),
  },
  "GET /api/versions/part-versions": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    notOurs: ["view", "part"],
    send: ({ item, snapshot }) => ({
      query: { itemId: item, snapshotId: snapshot, view: "issues", part: "1" },
    }),
  },
  "GET /api/versions/compare-ref": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({
      query: { itemId: item, beforeId: snapshot, afterId: snapshot, tree: "git", ref: "refs/heads/main" },
    }),
  },
  "GET /api/versions/compare-file": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({
      query: {
        itemId: item,
        beforeId: snapshot,
        afterId: snapshot,
        tree: "git",
        ref: "refs/heads/main",
        path: "README.md",
      },
    }),
  },
  "GET /versions/:item/:snapshot/part": {
    may: "managers",
    ok: 409,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({
      path: `/versions/${item}/${snapshot}/part`,
      query: { path: "repository.json" },
    }),
  },
  "GET /audit/export.csv": { may: "members", ok: 200, send: () => ({ path: "/audit/export.csv" }) },
  // Only the owner may change the region of a connected account. This call keeps it, so nothing is lost.
  "PATCH /api/user/change-user-platform-s3-region": {
    may: "managers",
    ok: 200,
    send: () => ({ body: { platform: PLATFORM, region: "DE" } }),
  },
  // The customer's own storage: none is connected here, and nothing listens at the S3 address.
  "GET /api/user/get-cloud-storages": { may: "managers", ok: 200 },
  "GET /api/user/get-cloud-storage-auth-url": {
    may: "managers",
    ok: 404,
    send: () => ({ query: { cloudStorageName: "no-such-storage", platform: PLATFORM } }),
  },
  "PUT /api/user/remove-user-cloud-storage": {
    may: "managers",
    ok: 409,
    send: () => ({ body: { cloudStorageName: "s3" } }),
  },
  "POST /api/user/add-platforms-backup-cloud-storages": {
    may: "managers",
    ok: 409,
    send: () => ({ body: { platformsWithCloudStorages: { [PLATFORM]: ["s3"] } } }),
  },
  "POST /api/user/add-s3-cloud-storage": {
    may: "managers",
    ok: 409,
    notOurs: ["accessKeyID"],
    send: () => ({
      body: {
        accessKeyID: "AKIA0123456789ABCDEF",
        secretAccessKey: "no/secret+of/any/bucket",
        region: "us-west-2",
        bucketName: "no-such-bucket",
      },
    }),
  },
  "GET /api/user/get-platforms-items-amount": { may: "members", ok: 200 },
  "GET /api/user/get-user-platform-names": { may: "members", ok: 200 },

  // The platform's calls
  [`GET ${github("get-github-users")}`]: { may: "members", ok: 200 },
  [`GET ${github("get-available-user-places")}`]: { may: "users", ok: 200 },
  [`GET ${github("get-available-github-places")}`]: { may: "managers", ok: 200 },
  [`POST ${github("add-places-for-user")}`]: {
    may: "managers",
    ok: 200,
    notOurs: ["id", "placesIds"],
    send: ({ sparePlace }) => ({ body: { placesIds: [sparePlace] } }),
  },
  [`GET ${github("get-available-repos-for-github-user")}`]: {
    may: "managers",
    ok: 200,
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
  [`GET ${github("get-user-github-items")}`]: {
    may: "users",
    ok: 200,
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
  [`POST ${github("add-github-repos")}`]: {
    may: "managers",
    ok: 200,
    ids: ["place"],
    send: ({ place, spareItem }) => ({ body: { placeId: place, reposIds: [{ id: spareItem }] } }),
  },
  [`DELETE ${github("delete-repos")}`]: {
    may: "managers",
    ok: 200,
    ids: ["item"],
    // An item may also be given as `{id}`. The place beside it is ignored.
    notOurs: ["id", "placeId"],
    send: ({ item }) => ({ body: { reposIds: [item] } }),
  },
  [`POST ${github("backup-now")}`]: {
    may: "managers",
    ok: 200,
    ids: ["item"],
    send: ({ item }) => ({ body: { repoName: item } }),
  },
  [`GET ${github("backup-all-repos-now")}`]: {
    may: "managers",
    // Once a day per place, for all callers together.
    ok: [200, 429],
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
  // The account: these requests change nothing
  [`GET ${github("connect-url")}`]: { may: "owner", ok: 200 },
  // A manager may change settings of the connected account. Only the owner may connect another one.
  [`POST ${github("add-github-user")}`]: {
    may: "managers",
    ok: 200,
    send: () => ({ body: { username: "nora-lindqvist", auto_add: false } }),
  },
  [`POST ${github("change-github-user")}`]: {
    may: "owner",
    ok: 404,
    send: () => ({ body: { username: "nobody-of-this-name" } }),
  },
  [`POST ${github("change-github-owner-token")}`]: {
    may: "owner",
    ok: 400,
    send: () => ({ body: { access_token: "ghu_of-nobody" } }),
  },
  [`POST ${github("change-github-user-auto-add")}`]: {
    may: "managers",
    ok: 200,
    send: () => ({ body: { auto_add: false } }),
  },
  [`POST ${github("send-confirm-github-user")}`]: { may: "managers", ok: 409 },
  [`POST ${github("confirm-code")}`]: {
    may: "managers",
    ok: 409,
    send: () => ({ body: { code: "000000" } }),
  },
  [`GET ${github("get-places-for-deleted-items")}`]: { may: "managers", ok: 200 },
  [`POST ${github("restore-repos")}`]: {
    may: "managers",
    ok: 200,
    ids: ["item", "snapshot", "place"],
    notOurs: ["externalId"],
    send: ({ item, snapshot, place }) => ({
      body: { placeId: place, items: [{ id: item, versionid: snapshot }] },
    }),
  },
  [`POST ${github("github-get-zip")}`]: {
    may: "managers",
    ok: 200,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ body: { repoId: item, versionId: snapshot } }),
  },
  [`PUT ${github("update-daily-backup-items-statuses")}`]: {
    may: "managers",
    ok: 200,
    ids: ["item"],
    // Gists are looked up like repositories. A mixed list follows the same rules.
    notOurs: ["id", "gistsIds"],
    send: ({ item }) => ({ body: { is_daily_backed_up: false, reposIds: [item] } }),
  },
  [`GET ${github("get-available-gists-for-github-user")}`]: {
    may: "managers",
    // 404 on a platform without gists.
    ok: [200, 404],
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
  [`GET ${github("get-user-github-gists")}`]: {
    may: "users",
    ok: 200,
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
  [`POST ${github("add-github-gists")}`]: {
    may: "managers",
    // 404 because the item sent is not a gist.
    ok: [200, 404],
    ids: ["place"],
    send: ({ place, spareItem }) => ({ body: { placeId: place, gists: [{ id: spareItem }] } }),
  },
  // A repository is not a gist, so even its own id is unknown here.
  [`DELETE ${github("delete-gists")}`]: {
    may: "managers",
    ok: 404,
    ids: ["item"],
    notOurs: ["id", "placeId"],
    send: ({ item }) => ({ body: { gistsIds: [item] } }),
  },
  [`POST ${github("backup-now-gist")}`]: {
    may: "managers",
    ok: 404,
    ids: ["item"],
    send: ({ item }) => ({ body: { id: item } }),
  },
  [`GET ${github("backup-all-gists-now")}`]: {
    may: "managers",
    ok: [200, 429],
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
  [`POST ${github("restore-gists")}`]: {
    may: "managers",
    ok: 404,
    ids: ["item", "snapshot", "place"],
    notOurs: ["externalId"],
    send: ({ item, snapshot, place }) => ({
      body: { placeId: place, items: [{ id: item, versionid: snapshot }] },
    }),
  },
  [`POST ${github("github-gist-get-zip")}`]: {
    may: "managers",
    ok: 404,
    ids: ["item", "snapshot"],
    send: ({ item, snapshot }) => ({ body: { id: item, versionId: snapshot } }),
  },
  [`GET ${github("backup-all-items-now")}`]: {
    may: "managers",
    ok: [200, 429],
    ids: ["place"],
    send: ({ place }) => ({ query: { placeId: place } }),
  },
  [`GET ${github("get-account-candidates")}`]: {
    may: "owner",
    ok: 400,
    send: () => ({ query: { choice: "none" } }),
  },
  [`POST ${github("choose-accounts")}`]: {
    may: "owner",
    ok: 400,
    notOurs: ["ids"],
    send: () => ({ body: { choice: "none", ids: ["1"] } }),
  },
  // It removes an account with all its backups; tests/flows/several-accounts.worker.test.ts covers it.
  [`DELETE ${github("remove-account")}`]: { may: "owner", ok: 200, isTriedApart: true },

  // The second platform's calls
  ...SECOND_PLATFORM,
  ...BOARD_PLATFORM,
  ...JIRA,
  ...NOTION,
};
