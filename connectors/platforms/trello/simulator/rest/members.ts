import { Hono } from "hono";
import { z } from "zod";
import { roleIn, roleOn } from "../access.ts";
import { keepBytes } from "../attachments.ts";
import { newId } from "../ids.ts";
import { forbidden, invalid, missing } from "../refused.ts";
import { renderBoard } from "../render-board.ts";
import {
  MEMBER_FIELDS,
  renderMember,
  renderMembership,
  renderOrganization,
  renderToken,
} from "../render-members.ts";
import type { Board, Member, TrelloWorld } from "../state.ts";
import { isPaid } from "../store.ts";
import { revokeToken } from "../tokens.ts";
import { showLists } from "./nested-board.ts";
import { flag, readParameters, text } from "./parameters.ts";
import { type RestEnv, reachMember, reachOrganization, viewerOf } from "./reach.ts";

const boardListing = z.object({
  filter: text.default("all"),
  fields: text.optional(),
  lists: text.default("none"),
  organization: flag,
  organization_fields: text.optional(),
});

/** Members, workspaces and tokens. */
export function memberRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/members/:id", async (c) => {
    const member = reachMember(c, world, c.req.param("id"));
    const schema = z.object({
      fields: text.optional(),
      boards: text.default("none"),
      organizations: text.default("none"),
    });
    const { fields } = await readParameters(c, world, schema);
    const { viewer } = { viewer: c.get("viewer") };
    const hasEmail = ["account", "read:member:trello"].some((scope) => viewer.token.scopes.includes(scope));
    return c.json(renderMember(world, member, { fields, isOwn: member.id === viewer.member.id, hasEmail }));
  });
  app.get("/members/:id/boards", async (c) => {
    const member = reachMember(c, world, c.req.param("id"));
    const order = await readParameters(c, world, boardListing);
    const own = world.state.boards.filter(({ memberships }) =>
      memberships.some(({ idMember }) => idMember === member.id),
    );
    return c.json(showBoards(world, own, { viewer: viewerOf(c), ...order }));
  });
  app.get("/members/:id/organizations", async (c) => {
    const member = reachMember(c, world, c.req.param("id"));
    const schema = z.object({ filter: text.default("all"), fields: text.optional(), paid_account: flag });
    const { fields } = await readParameters(c, world, schema);
    const own = world.state.organizations.filter((organization) => roleIn(member, organization) !== null);
    return c.json(own.map((organization) => renderOrganization(world, organization, { fields })));
  });
  app.post("/members/:id/customBoardBackgrounds", async (c) => {
    const member = reachMember(c, world, c.req.param("id"));
    if (member.id !== viewerOf(c).id) throw forbidden();
    const { file } = await readParameters(c, world, z.object({ file: z.instanceof(File) }));
    // Custom backgrounds require a paid workspace.
    const paid = world.state.organizations.some(
      (organization) => isPaid(organization) && roleIn(member, organization) !== null,
    );
    if (!paid) throw forbidden();
    const bytes = new Uint8Array(await file.arrayBuffer());
    const id = newId(world.state);
    const sha256 = keepBytes(world, bytes);
    world.state.backgrounds.push({ id, idMember: member.id, sha256, bytes: bytes.length });
    world.save();
    const fullSizeUrl = `${world.storageUrl}/trello-backgrounds/${id}`;
    return c.json({ id, type: "custom", tile: false, brightness: "dark", fullSizeUrl, scaled: [] });
  });
  app.route("/", organizationRoutes(world));
  app.route("/", tokenRoutes(world));
  return app;
}

function organizationRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/organizations/:id", async (c) => {
    const organization = reachOrganization(c, world, c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    const standard =
      "name,displayName,desc,descData,url,website,logoHash,logoUrl,products,powerUps,teamType,premiumFeatures";
    return c.json(renderOrganization(world, organization, { fields, standard }));
  });
  app.get("/organizations/:id/boards", async (c) => {
    const organization = reachOrganization(c, world, c.req.param("id"));
    const order = await readParameters(c, world, boardListing);
    const boards = world.state.boards.filter(({ idOrganization }) => idOrganization === organization.id);
    return c.json(showBoards(world, boards, { viewer: viewerOf(c), ...order }));
  });
  app.get("/organizations/:id/members/:filter?", async (c) => {
    const organization = reachOrganization(c, world, c.req.param("id"));
    const { fields } = await readParameters(
      c,
      world,
      z.object({ filter: text.optional(), fields: text.optional() }),
    );
    const own = organization.memberships.flatMap(({ idMember }) =>
      world.state.members.filter(({ id }) => id === idMember),
    );
    return c.json(
      own.map((member) => renderMember(world, member, { fields, standard: "fullName,username" })),
    );
  });
  app.get("/organizations/:id/memberships", async (c) => {
    const organization = reachOrganization(c, world, c.req.param("id"));
    const schema = z.object({ filter: text.optional(), member: flag });
    const { member } = await readParameters(c, world, schema);
    return c.json(
      organization.memberships.map((membership) => {
        const known = world.state.members.find(({ id }) => id === membership.idMember);
        const shown =
          member && known ? { member: renderMember(world, known, { standard: MEMBER_FIELDS }) } : {};
        return { ...renderMembership(membership), ...shown };
      }),
    );
  });
  return app;
}

function tokenRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const find = (value: string) => {
    const token = world.state.tokens.find((known) => known.value === value && !known.isRevoked);
    if (!token) throw missing();
    return token;
  };
  app.get("/tokens/:token", async (c) => {
    const { webhooks } = await readParameters(
      c,
      world,
      z.object({ fields: text.optional(), webhooks: flag }),
    );
    return c.json({ ...renderToken(find(c.req.param("token"))), ...(webhooks ? { webhooks: [] } : {}) });
  });
  app.get("/tokens/:token/member", async (c) => {
    const token = find(c.req.param("token"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    const member = world.state.members.find(({ id }) => id === token.idMember);
    if (!member) throw missing();
    return c.json(renderMember(world, member, { fields, isOwn: true }));
  });
  app.delete("/tokens/:token", (c) => {
    revokeToken(world, find(c.req.param("token")).value);
    return c.json({ _value: null });
  });
  return app;
}

function showBoards(
  world: TrelloWorld,
  boards: readonly Board[],
  order: z.output<typeof boardListing> & { viewer: Member },
) {
  const { viewer, fields } = order;
  const byFilter: Record<string, (board: Board) => boolean> = {
    all: () => true,
    open: ({ isClosed }) => !isClosed,
    closed: ({ isClosed }) => isClosed,
    starred: ({ starredBy }) => starredBy.includes(viewer.id),
    members: ({ prefs }) => prefs.permissionLevel === "private",
    organization: ({ prefs }) => prefs.permissionLevel === "org",
    public: ({ prefs }) => prefs.permissionLevel === "public",
  };
  const isWanted = byFilter[order.filter];
  if (!isWanted) throw invalid("filter");
  return boards
    .filter((board) => isWanted(board) && roleOn(world, viewer, board) !== "none")
    .map((board) => {
      const organization = world.state.organizations.find(({ id }) => id === board.idOrganization);
      const view = { fields: order.organization_fields, standard: "name,displayName" };
      return {
        ...renderBoard(world, board, { viewer, fields, standard: "all" }),
        ...(order.lists === "none"
          ? {}
          : { lists: showLists(world, board, { viewer, filter: order.lists, cards: "none" }) }),
        ...(order.organization && organization
          ? { organization: renderOrganization(world, organization, view) }
          : {}),
      };
    });
}
