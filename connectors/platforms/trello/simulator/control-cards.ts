import { Hono } from "hono";
import { z } from "zod";
import { createNoise } from "#connectors/toolkit/simulator/history-script.ts";
import { noisyBytes } from "#connectors/toolkit/simulator/seed-prose.ts";
import { addComment, deleteAction, editComment } from "./actions.ts";
import { attachFile, attachLink, deleteAttachment } from "./attachments.ts";
import { createCard, deleteCard, editCard, moveCard, setVote } from "./cards.ts";
import { createCheckItem, createChecklist } from "./checklists.ts";
import { setCustomFieldItem } from "./custom-fields.ts";
import type { Board, List, Member, TrelloWorld } from "./state.ts";
import { find } from "./store.ts";

const login = z.string().optional();
const place = z.union([z.enum(["top", "bottom"]), z.number()]).optional();
const fields = {
  name: z.string().optional(),
  desc: z.string().optional(),
  due: z.string().nullable().optional(),
  start: z.string().nullable().optional(),
  dueComplete: z.boolean().optional(),
  idLabels: z.array(z.string()).optional(),
  idMembers: z.array(z.string()).optional(),
  place,
  login,
};
const attachOrder = z.strictObject({
  name: z.string(),
  /** Text of the file; default = `bytes` bytes of noise, generated from `seed`. */
  text: z.string().optional(),
  bytes: z.number().int().min(0).optional(),
  seed: z.number().int().default(1),
  url: z.string().optional(),
  mimeType: z.string().default("application/octet-stream"),
  isCover: z.boolean().default(false),
  login,
});

/** The member who acts: the named one, or the board's creator. */
type Actor = (board: Board, username: string | undefined) => Member;

function requireCard(world: TrelloWorld, key: string) {
  const found = find(world, "card", key);
  if (!found) throw new Error(`There is no card ${key}`);
  return found;
}

/** Control routes that edit cards, comments and files as people would. A list is named by its id or its name. */
export function cardControl(world: TrelloWorld, person: (username: string) => Member): Hono {
  const app = new Hono();
  const actor: Actor = (board, username) => person(username ?? board.idMemberCreator);
  const cardOf = (key: string) => requireCard(world, key);
  app.post("/boards/:id/cards", async (c) => {
    const found = find(world, "board", c.req.param("id"));
    if (!found) throw new Error("There is no such board");
    const {
      list,
      login: by,
      ...order
    } = z.strictObject({ ...fields, list: z.string().optional() }).parse(await c.req.json());
    const { board } = found;
    const card = createCard(world, board, actor(board, by), { list: listOf(board, list), ...clean(order) });
    return c.json({ id: card.id, shortLink: card.shortLink }, 201);
  });
  app.post("/cards/:id/edit", async (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    const { login: by, ...order } = z.strictObject(fields).parse(await c.req.json());
    editCard(world, board, actor(board, by), { card, ...clean(order) });
    return c.body(null, 204);
  });
  app.post("/cards/:id/move", async (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    const order = z.strictObject({ list: z.string(), place, login }).parse(await c.req.json());
    const target = find(world, "list", order.list) ?? { board, list: listOf(board, order.list) };
    const { list } = target;
    moveCard(world, board, actor(board, order.login), {
      card,
      board: target.board,
      list,
      place: order.place,
    });
    return c.body(null, 204);
  });
  app.post("/cards/:id/archive", async (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    const schema = z.strictObject({ isClosed: z.boolean().default(true), login });
    const order = schema.parse(JSON.parse((await c.req.text()) || "{}"));
    editCard(world, board, actor(board, order.login), { card, isClosed: order.isClosed });
    return c.body(null, 204);
  });
  app.post("/cards/:id/delete", (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    deleteCard(world, board, actor(board, undefined), card);
    return c.body(null, 204);
  });
  app.route("/", cardPartsControl(world, actor));
  app.route("/", remainsControl(world, actor));
  return app;
}

/** Control routes that add comments, checklists, field values and votes to a card. */
function cardPartsControl(world: TrelloWorld, actor: Actor): Hono {
  const app = new Hono();
  const cardOf = (key: string) => requireCard(world, key);
  app.post("/cards/:id/comments", async (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    const order = z.strictObject({ text: z.string(), login }).parse(await c.req.json());
    const action = addComment(world, board, { card, by: actor(board, order.login), text: order.text });
    world.save();
    return c.json({ id: action.id }, 201);
  });
  app.post("/cards/:id/checklists", async (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    const schema = z.strictObject({ name: z.string(), items: z.array(z.string()).default([]), login });
    const order = schema.parse(await c.req.json());
    const checklist = createChecklist(world, board, actor(board, order.login), { card, name: order.name });
    for (const name of order.items) createCheckItem(world, board, { card, checklist, name });
    return c.json({ id: checklist.id }, 201);
  });
  app.post("/cards/:id/fields", async (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    const schema = z.strictObject({
      name: z.string(),
      value: z.record(z.string(), z.string()).nullable().default(null),
      option: z.string().optional(),
      login,
    });
    const order = schema.parse(await c.req.json());
    const field = board.customFields.find(({ name }) => name === order.name);
    if (!field) throw new Error(`There is no custom field ${order.name}`);
    const idValue = field.options.find(({ text }) => text === order.option)?.id ?? null;
    const asked = { value: order.value, idValue };
    setCustomFieldItem(world, board, actor(board, order.login), { card, field, asked });
    return c.body(null, 204);
  });
  app.post("/cards/:id/vote", async (c) => {
    const { board, card } = cardOf(c.req.param("id"));
    const schema = z.strictObject({ hasVoted: z.boolean().default(true), login });
    const order = schema.parse(JSON.parse((await c.req.text()) || "{}"));
    setVote(world, board, actor(board, order.login), { card, hasVoted: order.hasVoted });
    return c.body(null, 204);
  });
  return app;
}

/** Control routes for files, and for things that are edited or deleted by their own id. */
function remainsControl(world: TrelloWorld, actor: Actor): Hono {
  const app = new Hono();
  app.post("/cards/:id/attachments", async (c) => {
    const { board, card } = requireCard(world, c.req.param("id"));
    const order = attachOrder.parse(await c.req.json());
    const { name, mimeType, isCover } = order;
    const by = actor(board, order.login);
    if (order.url !== undefined) {
      return c.json({ id: attachLink(world, board, by, { card, name, url: order.url }).id }, 201);
    }
    const length = order.bytes ?? 1_000;
    const noise = () => noisyBytes(createNoise(order.seed), Math.ceil(length / 4) * 4).slice(0, length);
    const bytes = order.text === undefined ? noise() : new TextEncoder().encode(order.text);
    const attachment = attachFile(world, board, by, { card, name, mimeType, bytes, isCover });
    return c.json({ id: attachment.id, sha256: attachment.sha256 }, 201);
  });
  app.post("/attachments/:id/delete", (c) => {
    const found = find(world, "attachment", c.req.param("id"));
    if (!found) throw new Error("There is no such attachment");
    deleteAttachment(world, found.board, actor(found.board, undefined), found);
    return c.body(null, 204);
  });
  const commentOf = (id: string) => {
    const found = find(world, "action", id);
    if (!found) throw new Error("There is no such comment");
    return found;
  };
  app.post("/comments/:id/edit", async (c) => {
    const { action } = commentOf(c.req.param("id"));
    editComment(action, z.strictObject({ text: z.string() }).parse(await c.req.json()).text);
    world.save();
    return c.body(null, 204);
  });
  app.post("/comments/:id/delete", (c) => {
    const { board, action } = commentOf(c.req.param("id"));
    deleteAction(world, board, action);
    world.save();
    return c.body(null, 204);
  });
  return app;
}

function listOf(board: Board, key: string | undefined): List {
  const open = board.lists.filter(({ isClosed }) => !isClosed);
  const list = key === undefined ? open[0] : board.lists.find(({ id, name }) => id === key || name === key);
  if (!list) throw new Error(`There is no list ${key ?? ""} on the board`);
  return list;
}

/** Drops undefined fields, so that they do not overwrite values. */
function clean<T extends object>(order: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(order).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
