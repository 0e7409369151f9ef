import { Hono } from "hono";
import { z } from "zod";
import { LABEL_COLORS } from "../boards.ts";
import { type CardFields, createCard, deleteCard, editCard, moveCard, NO_COVER } from "../cards.ts";
import { invalid } from "../refused.ts";
import type { Body } from "../render.ts";
import { renderBoard, renderList } from "../render-board.ts";
import type { Board, Card, Coordinates, Cover, TrelloWorld } from "../state.ts";
import { CARD_PARTS, nestCards } from "./nested-cards.ts";
import {
  bool,
  flag,
  id,
  ids,
  longText,
  moment,
  objectOf,
  place,
  readParameters,
  text,
} from "./parameters.ts";
import { type RestContext, type RestEnv, reach, reachNamed, viewerOf } from "./reach.ts";

const reminder = z.union([z.null(), z.literal("").transform(() => null), z.coerce.number().int()]);
const roles = z
  .union([z.null(), z.enum(["", "separator", "board", "mirror", "link"])])
  .transform((value) => (value === "" ? null : value));
const fieldShapes = {
  name: longText.optional(),
  desc: longText.optional(),
  due: moment.optional(),
  dueReminder: reminder.optional(),
  dueComplete: bool.optional(),
  start: moment.optional(),
  idLabels: ids.optional(),
  idMembers: ids.optional(),
  address: text.nullable().optional(),
  locationName: text.nullable().optional(),
  coordinates: z.unknown().optional(),
  cardRole: roles.optional(),
  isTemplate: bool.optional(),
};
const creation = z.object({ ...fieldShapes, idList: id, pos: place.default("bottom") });
const change = z.object({
  ...fieldShapes,
  idList: id.optional(),
  idBoard: id.optional(),
  idAttachmentCover: text.nullable().optional(),
  pos: place.optional(),
  closed: bool.optional(),
  subscribed: bool.optional(),
  cover: z.unknown().optional(),
});
const reading = z.object({
  ...CARD_PARTS,
  fields: text.optional(),
  board: flag,
  board_fields: text.optional(),
  list: flag,
});

/** `/cards…`. */
export function cardRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const show = (c: RestContext, board: Board, card: Card, extra: Body = {}) => {
    const parts = z.object(CARD_PARTS).parse({});
    const [body] = nestCards(world, board, [card], { viewer: viewerOf(c), parts });
    return c.json({ ...body, ...extra });
  };
  app.post("/cards", async (c) => {
    const { idList, pos, ...order } = await readParameters(c, world, creation);
    const { board, list } = reachNamed(c, world, "list", { id: idList, parameter: "idList" });
    const fields = fieldsOf(board, order);
    const card = createCard(world, board, viewerOf(c), { list, place: pos, ...fields });
    return show(c, board, card, { attachments: [], stickers: [] });
  });
  app.get("/cards/:id", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const order = await readParameters(c, world, reading);
    const viewer = viewerOf(c);
    const [body] = nestCards(world, board, [card], { viewer, fields: order.fields, parts: order });
    const list = board.lists.find(({ id: own }) => own === card.idList);
    return c.json({
      ...body,
      ...(order.board ? { board: renderBoard(world, board, { viewer, fields: order.board_fields }) } : {}),
      ...(order.list && list ? { list: renderList(world, board, list, viewer) } : {}),
    });
  });
  app.put("/cards/:id", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const order = await readParameters(c, world, change);
    const before = card.idList;
    const home = moveAsAsked(c, world, { board, card, ...order });
    const viewer = viewerOf(c);
    if (order.subscribed !== undefined) {
      card.subscribers = card.subscribers.filter((idMember) => idMember !== viewer.id);
      if (order.subscribed) card.subscribers.push(viewer.id);
    }
    const cover = coverOf(world, card, order);
    editCard(world, home, viewer, {
      card,
      ...fieldsOf(home, order),
      ...(cover ? { cover } : {}),
      isClosed: order.closed,
      // A card that moves already has its place.
      place: card.idList === before ? order.pos : undefined,
    });
    return show(c, home, card);
  });
  app.delete("/cards/:id", (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    deleteCard(world, board, viewerOf(c), card);
    return c.json({ limits: {} });
  });
  for (const field of ["idList", "idBoard", "closed", "pos", "name", "desc"] as const) {
    app.put(`/cards/:id/${field}`, async (c) => {
      const { board, card } = reach(c, world, "card", c.req.param("id"));
      const { value } = await readParameters(c, world, z.object({ value: z.unknown() }));
      const parsed = change.safeParse({ [field]: value });
      if (!parsed.success) throw invalid("value");
      const order = parsed.data;
      const home = moveAsAsked(c, world, { board, card, idList: order.idList, idBoard: order.idBoard });
      const { name, desc, closed, pos } = order;
      editCard(world, home, viewerOf(c), { card, name, desc, isClosed: closed, place: pos });
      return show(c, home, card);
    });
  }
  app.get("/cards/:id/board", async (c) => {
    const { board } = reach(c, world, "card", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(renderBoard(world, board, { viewer: viewerOf(c), fields, standard: "all" }));
  });
  app.get("/cards/:id/list", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    const list = board.lists.find(({ id: own }) => own === card.idList);
    return c.json(list ? renderList(world, board, list, viewerOf(c), fields) : null);
  });
  return app;
}

/** Moves the card if the request names another list or board. Returns the board it is on. */
function moveAsAsked(
  c: RestContext,
  world: TrelloWorld,
  order: {
    board: Board;
    card: Card;
    idList?: string | undefined;
    idBoard?: string | undefined;
    pos?: number | "top" | "bottom" | undefined;
  },
): Board {
  const { board, card } = order;
  if (order.idList !== undefined && order.idList !== card.idList) {
    const target = reachNamed(c, world, "list", { id: order.idList, parameter: "idList" });
    if (order.idBoard === undefined && target.board !== board) throw invalid("idList");
    moveCard(world, board, viewerOf(c), { card, board: target.board, list: target.list, place: order.pos });
    return target.board;
  }
  if (order.idBoard !== undefined && order.idBoard !== board.id) {
    const target = reachNamed(c, world, "board", { id: order.idBoard, parameter: "idBoard" });
    const list = target.board.lists.find(({ isClosed }) => !isClosed);
    if (!list) throw invalid("idBoard");
    moveCard(world, board, viewerOf(c), { card, board: target.board, list, place: order.pos });
    return target.board;
  }
  return board;
}

type AskedFields = Partial<z.output<z.ZodObject<typeof fieldShapes>>>;

/** Checks labels and members against the board, and parses the coordinates. */
function fieldsOf(board: Board, order: AskedFields): Partial<CardFields> {
  const { name, desc, due, dueReminder, dueComplete, start, idLabels, idMembers } = order;
  const { address, locationName, cardRole, isTemplate } = order;
  if (idLabels?.some((wanted) => !board.labels.some((label) => label.id === wanted)))
    throw invalid("idLabels");
  if (idMembers?.some((wanted) => !board.memberships.some(({ idMember }) => idMember === wanted))) {
    throw invalid("idMembers");
  }
  const coordinates = order.coordinates === undefined ? undefined : coordinatesOf(order.coordinates);
  const given = {
    ...{ name, desc, due, dueReminder, dueComplete, start, idLabels, idMembers },
    ...{ address, locationName, cardRole, isTemplate, coordinates },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Coordinates: `latitude,longitude` as text, or an object. */
function coordinatesOf(value: unknown): Coordinates | null {
  if (value === null || value === "") return null;
  const isPair = typeof value === "string" && /^-?[\d.]+,\s*-?[\d.]+$/.test(value);
  const [latitude, longitude] = isPair
    ? value.split(",").map(Number)
    : [objectOf(value, "coordinates").latitude, objectOf(value, "coordinates").longitude].map(Number);
  if (latitude === undefined || longitude === undefined) throw invalid("coordinates");
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) throw invalid("coordinates");
  return { latitude, longitude };
}

/** The requested cover, from `cover` or the older parameter; null when none is requested. */
function coverOf(
  world: TrelloWorld,
  card: Card,
  order: { cover?: unknown; idAttachmentCover?: string | null | undefined },
): Cover | null {
  const has = (idAttachment: string) =>
    card.attachments.some((own) => own.id === idAttachment && own.isUpload);
  if (order.idAttachmentCover !== undefined) {
    const asked = order.idAttachmentCover;
    if (asked === null || asked === "" || asked === "null") return { ...NO_COVER };
    if (!has(asked)) throw invalid("idAttachmentCover");
    return { ...card.cover, color: null, idUploadedBackground: null, idAttachment: asked };
  }
  if (order.cover === undefined) return null;
  if (order.cover === null || order.cover === "") return { ...NO_COVER };
  const raw = objectOf(order.cover, "cover");
  const asked = (raw.value === undefined ? raw : objectOf(raw.value, "cover")) as Partial<
    Record<string, unknown>
  >;
  const { size, brightness } = { ...card.cover, ...asked };
  if (size !== "normal" && size !== "full") throw invalid("cover");
  if (brightness !== "light" && brightness !== "dark") throw invalid("cover");
  const sources = ["color", "idAttachment", "idUploadedBackground", "url"].filter((key) => asked[key]);
  // They are mutually exclusive.
  if (sources.length > 1) throw invalid("cover");
  if (sources.length === 0) {
    const isCleared = ["color", "idAttachment", "idUploadedBackground"].some((key) => asked[key] === null);
    return { ...(isCleared ? NO_COVER : card.cover), size, brightness };
  }
  const cover: Cover = { ...NO_COVER, size, brightness };
  if (asked.color) {
    if (!LABEL_COLORS.includes(String(asked.color)) || /_/.test(String(asked.color))) throw invalid("cover");
    return { ...cover, color: String(asked.color) };
  }
  if (asked.idAttachment) {
    if (!has(String(asked.idAttachment))) throw invalid("cover");
    return { ...cover, idAttachment: String(asked.idAttachment) };
  }
  if (asked.url && !String(asked.url).startsWith("https://images.unsplash.com")) throw invalid("cover");
  return {
    ...cover,
    idUploadedBackground: String(asked.idUploadedBackground ?? world.state.machine.padEnd(24, "0")),
  };
}
