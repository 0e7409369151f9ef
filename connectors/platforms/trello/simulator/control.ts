import { Hono } from "hono";
import { z } from "zod";
import { spoilOrder } from "#connectors/toolkit/simulator/gateway.ts";
import { tokenControl } from "#connectors/toolkit/simulator/grant-control.ts";
import { createBoard, deleteBoard, editBoard, setBoardMember } from "./boards.ts";
import { cardControl } from "./control-cards.ts";
import { dumpBoard, fingerprintBoard } from "./dump-board.ts";
import { generate } from "./generate.ts";
import { newId } from "./ids.ts";
import { createList, editList } from "./lists.ts";
import { OAUTH_SCOPES } from "./oauth.ts";
import { addOrganization } from "./seed.ts";
import { fillBoard } from "./seed-board.ts";
import { fillFleetBoard } from "./seed-fleet-board.ts";
import type { Board, Member, TrelloSettings, TrelloWorld } from "./state.ts";
import { find, findMember, findOrganization, isPaid, organizationOf } from "./store.ts";
import { issueLegacyToken, issueOauthToken } from "./tokens.ts";

/** Default creation time of boards, long before anything happens on them. */
const DEFAULT_BOARD_TIME = Date.parse("2024-03-04T08:00:00Z");

const login = z.string().default("nora_lindqvist");
const prefs = z.record(z.string(), z.union([z.string(), z.boolean()])).default({});
const boardOrder = z.strictObject({
  name: z.string(),
  login,
  desc: z.string().default(""),
  organization: z.string().nullable().default("meridianfreight"),
  prefs,
  /** `full` = one of everything, with odd names. */
  content: z.enum(["empty", "full", "fleet"]).default("empty"),
});
const count = z.number().int().min(0).default(0);
const generateOrder = z.strictObject({
  ...{ lists: count, labels: count, cards: count, archivedCards: count, comments: count, checklists: count },
  items: z.number().int().min(0).default(3),
  attachments: count,
  attachmentBytes: z.number().int().min(0).default(1_000),
  customFields: count,
});
const tokenOrder = z.strictObject({
  login,
  kind: z.enum(["legacy", "oauth2"]).default("legacy"),
  scopes: z.array(z.string()).optional(),
});

/** `/__sim/trello/…`: lets tests and the demo cause what happens at Trello without us. */
export function controlRoutes(world: TrelloWorld): Hono {
  const app = new Hono().basePath("/trello");
  app.onError((error, c) => c.json({ message: error.message }, 400));
  const person = (username: string): Member => {
    const member = findMember(world, username);
    if (!member) throw new Error(`There is nobody called ${username}`);
    return member;
  };
  app.post("/spoil-answers", async (c) => {
    world.spoils.push(spoilOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  app.route("/", boardControl(world, person));
  app.route("/", boardEdits(world, person));
  app.route("/", cardControl(world, person));
  app.route("/", accountControl(world, person));
  return app;
}

function requireBoard(world: TrelloWorld, key: string): Board {
  const found = find(world, "board", key);
  if (!found) throw new Error(`There is no board ${key}`);
  return found.board;
}

/** Control routes that list, create, fill and read boards. */
function boardControl(world: TrelloWorld, person: (username: string) => Member): Hono {
  const app = new Hono();
  app.get("/boards", (c) =>
    c.json({
      boards: world.state.boards.map(({ id, shortLink, name, isClosed }) => ({
        id,
        shortLink,
        name,
        isClosed,
      })),
    }),
  );
  app.post("/boards", async (c) => {
    const order = boardOrder.parse(await c.req.json());
    const by = person(order.login);
    const organization = order.organization === null ? null : findOrganization(world, order.organization);
    if (order.organization !== null && !organization)
      throw new Error(`There is no workspace ${order.organization}`);
    const board = createBoard(world, by, {
      name: order.name,
      desc: order.desc,
      organization,
      prefs: order.prefs,
      hasDefaultLists: false,
      hasDefaultLabels: false,
      at: DEFAULT_BOARD_TIME,
    });
    if (order.content === "full") {
      fillBoard(world, board, { by, crew: crewOf(world, board, by), isPaid: isPaid(organization) });
    }
    if (order.content === "fleet") {
      const [second = by, third = by] = crewOf(world, board, by).filter((member) => member !== by);
      fillFleetBoard(world, board, [by, second, third]);
    }
    return c.json({ id: board.id, shortLink: board.shortLink }, 201);
  });
  app.get("/boards/:id/cards", (c) => {
    const { cards } = requireBoard(world, c.req.param("id"));
    return c.json({ cards: cards.map(({ id, shortLink, name }) => ({ id, shortLink, name })) });
  });
  app.post("/boards/:id/generate", async (c) => {
    const board = requireBoard(world, c.req.param("id"));
    const order = generateOrder.parse(await c.req.json());
    const cards = generate(world, board, person(board.idMemberCreator), order);
    return c.json({ cards: cards.map(({ id }) => id) });
  });
  app.get("/boards/:id/dump", (c) => c.json(dumpBoard(world, requireBoard(world, c.req.param("id")))));
  app.get("/boards/:id/fingerprint", (c) =>
    c.json(fingerprintBoard(world, requireBoard(world, c.req.param("id")))),
  );
  return app;
}

/** Control routes that change a board, its members and its lists as people would. */
function boardEdits(world: TrelloWorld, person: (username: string) => Member): Hono {
  const app = new Hono();
  const maker = (board: Board) => person(board.idMemberCreator);
  app.post("/boards/:id/edit", async (c) => {
    const board = requireBoard(world, c.req.param("id"));
    const schema = z.strictObject({
      name: z.string().optional(),
      desc: z.string().optional(),
      isClosed: z.boolean().optional(),
      prefs: prefs.optional(),
      login: z.string().optional(),
    });
    const { login: by, ...change } = schema.parse(await c.req.json());
    editBoard(world, board, by === undefined ? maker(board) : person(by), change);
    return c.body(null, 204);
  });
  app.post("/boards/:id/delete", (c) => {
    deleteBoard(world, requireBoard(world, c.req.param("id")));
    return c.body(null, 204);
  });
  app.post("/boards/:id/members", async (c) => {
    const board = requireBoard(world, c.req.param("id"));
    const schema = z.strictObject({
      login: z.string(),
      type: z.enum(["admin", "normal", "observer"]).nullable(),
    });
    const order = schema.parse(await c.req.json());
    setBoardMember(world, board, maker(board), { member: person(order.login), memberType: order.type });
    return c.body(null, 204);
  });
  app.post("/boards/:id/lists", async (c) => {
    const board = requireBoard(world, c.req.param("id"));
    const { name } = z.strictObject({ name: z.string() }).parse(await c.req.json());
    return c.json({ id: createList(world, board, maker(board), { name, place: "bottom" }).id }, 201);
  });
  app.post("/lists/:id/edit", async (c) => {
    const found = find(world, "list", c.req.param("id"));
    if (!found) throw new Error("There is no such list");
    const schema = z.strictObject({
      name: z.string().optional(),
      isClosed: z.boolean().optional(),
      place: z.union([z.enum(["top", "bottom"]), z.number()]).optional(),
    });
    editList(world, found.board, maker(found.board), {
      list: found.list,
      ...schema.parse(await c.req.json()),
    });
    return c.body(null, 204);
  });
  return app;
}

/** Adds the members of the workspace to the board. @returns the creator, then the other members of the board */
function crewOf(world: TrelloWorld, board: Board, by: Member): Member[] {
  const others = organizationOf(world, board)?.memberships ?? [];
  for (const { idMember } of others) {
    const member = world.state.members.find(({ id }) => id === idMember);
    if (member && member !== by) {
      setBoardMember(world, board, by, { member, memberType: "normal", at: DEFAULT_BOARD_TIME });
    }
  }
  const onBoard = new Set(board.memberships.map(({ idMember }) => idMember));
  return [by, ...world.state.members.filter(({ id }) => onBoard.has(id) && id !== by.id)];
}

function accountControl(world: TrelloWorld, person: (username: string) => Member): Hono {
  const app = new Hono();
  app.post("/token", async (c) => {
    const order = tokenOrder.parse(await c.req.json());
    const idMember = person(order.login).id;
    const { apiKey } = world.settings;
    if (order.kind === "oauth2") {
      const scopes = order.scopes ?? OAUTH_SCOPES.filter((scope) => !scope.includes("enterprise"));
      const token = issueOauthToken(world, { idMember, scopes });
      const { value, refreshToken } = token;
      return c.json({ token: value, refreshToken, authorization: `Bearer ${value}` });
    }
    const scopes = order.scopes ?? ["read", "write", "account"];
    const { value } = issueLegacyToken(world, { idMember, scopes, lifetimeMs: null });
    const authorization = `OAuth oauth_consumer_key="${apiKey}", oauth_token="${value}"`;
    return c.json({ token: value, key: apiKey, authorization });
  });
  const tokensOf = (login: string | undefined) => {
    const idMember = login === undefined ? null : person(login).id;
    return world.state.tokens.filter((token) => idMember === null || token.idMember === idMember);
  };
  app.route("/", tokenControl({ tokensOf, save: () => world.save() }));
  app.post("/members", async (c) => {
    const order = z.strictObject({ login: z.string(), fullName: z.string() }).parse(await c.req.json());
    const { login: username, fullName } = order;
    const initials = fullName.replace(/[^A-Z]/g, "").slice(0, 2);
    const member = {
      id: newId(world.state),
      bio: "",
      username,
      fullName,
      initials,
      email: `${username}@meridian.example`,
    };
    world.state.members.push(member);
    world.save();
    return c.json({ id: member.id }, 201);
  });
  const plan = z.enum(["free", "standard", "premium", "enterprise"]);
  app.post("/organizations", async (c) => {
    const schema = z.strictObject({ name: z.string(), displayName: z.string(), plan, login });
    const { login: by, ...order } = schema.parse(await c.req.json());
    const organization = addOrganization(world, { ...order, desc: "", members: [[person(by), "admin"]] });
    return c.json({ id: organization.id }, 201);
  });
  app.post("/organizations/:name/switch", async (c) => {
    const organization = findOrganization(world, c.req.param("name"));
    if (!organization) throw new Error("There is no such workspace");
    organization.plan = z.strictObject({ plan }).parse(await c.req.json()).plan;
    world.save();
    return c.body(null, 204);
  });
  app.post("/settings", async (c) => {
    const numbers = Object.entries(world.settings).filter(([, value]) => typeof value === "number");
    const shape = Object.fromEntries(numbers.map(([name]) => [name, z.number().min(0).optional()]));
    Object.assign(world.settings, z.strictObject(shape).parse(await c.req.json()) as Partial<TrelloSettings>);
    // Running windows would keep the old length.
    world.windows.clear();
    return c.body(null, 204);
  });
  return app;
}
