import { Hono } from "hono";
import { z } from "zod";
import { attachFile, attachLink, deleteAttachment, setCover, storageAddress } from "../attachments.ts";
import { editCard, setVote } from "../cards.ts";
import { newId } from "../ids.ts";
import { inOrder } from "../positions.ts";
import { forbidden, invalid, missing, Refused, tooMany } from "../refused.ts";
import { renderPluginData } from "../render-board.ts";
import { renderAttachment, renderSticker } from "../render-card.ts";
import type { Board, Card, TrelloWorld } from "../state.ts";
import { membersOf } from "./nested-cards.ts";
import { flag, id, readParameters, text } from "./parameters.ts";
import { type RestEnv, reach, viewerOf } from "./reach.ts";

const shortText = text.pipe(z.string().max(256));
const STICKERS = [
  ...[
    "thumbsup",
    "check",
    "heart",
    "star",
    "warning",
    "clock",
    "smile",
    "laugh",
    "huh",
    "frown",
    "rocketship",
  ],
  ...["globe", "pete-award", "pete-broken", "pete-happy", "taco-cool", "taco-love", "taco-proto"],
];

/** Files, links, stickers, members, labels, votes and Power-Up data of a card. */
export function cardPartRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.route("/", attachmentRoutes(world));
  app.route("/", stickerRoutes(world));
  app.route("/", personRoutes(world));
  app.post("/cards/:id/idLabels", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const { value } = await readParameters(c, world, z.object({ value: id }));
    if (!board.labels.some((label) => label.id === value)) throw invalid("value");
    if (card.idLabels.includes(value)) throw new Refused(400, "that label is already on the card");
    editCard(world, board, viewerOf(c), { card, idLabels: [...card.idLabels, value] });
    return c.json(card.idLabels);
  });
  app.delete("/cards/:id/idLabels/:idLabel", (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const idLabels = card.idLabels.filter((own) => own !== c.req.param("idLabel"));
    editCard(world, board, viewerOf(c), { card, idLabels });
    return c.json({ _value: null });
  });
  app.get("/cards/:id/pluginData", async (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    await readParameters(c, world, z.object({}));
    return c.json(card.pluginData.map((data) => renderPluginData("card", card.id, data)));
  });
  return app;
}

function attachmentRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/cards/:id/attachments", async (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const schema = z.object({ fields: text.optional(), filter: z.enum(["cover", "false"]).default("false") });
    const { fields, filter } = await readParameters(c, world, schema);
    const wanted = card.attachments.filter((own) => filter === "false" || own.id === card.cover.idAttachment);
    return c.json(inOrder(wanted).map((own) => renderAttachment(world, card, own, fields)));
  });
  app.post("/cards/:id/attachments", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const schema = z.object({
      name: shortText.optional(),
      file: z.instanceof(File).optional(),
      mimeType: shortText.optional(),
      url: text.optional(),
      setCover: flag,
    });
    const order = await readParameters(c, world, schema);
    const by = viewerOf(c);
    if (order.file) {
      const bytes = new Uint8Array(await order.file.arrayBuffer());
      const fileName = order.file.name;
      const attachment = attachFile(world, board, by, {
        card,
        bytes,
        name: order.name || fileName || "file",
        fileName,
        mimeType: order.mimeType ?? (order.file.type || undefined),
        isCover: order.setCover,
      });
      return c.json({ ...renderAttachment(world, card, attachment), limits: {} });
    }
    if (order.url === undefined || !/^https?:\/\//.test(order.url)) throw invalid("url");
    const attachment = attachLink(world, board, by, {
      card,
      name: order.name,
      url: order.url,
      mimeType: order.mimeType,
    });
    if (order.setCover) setCover(world, board, by, { card, attachment });
    return c.json({ ...renderAttachment(world, card, attachment), limits: {} });
  });
  const findAttachment = (card: Card, wanted: string) => {
    const attachment = card.attachments.find((own) => own.id === wanted);
    if (!attachment) throw missing();
    return attachment;
  };
  app.get("/cards/:id/attachments/:idAttachment", async (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(renderAttachment(world, card, findAttachment(card, c.req.param("idAttachment")), fields));
  });
  app.get("/cards/:id/attachments/:idAttachment/download/:fileName", (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    // Trello no longer accepts credentials in the URL for files, only the header.
    if (!c.req.header("authorization")) throw forbidden();
    const attachment = findAttachment(card, c.req.param("idAttachment"));
    if (!attachment.isUpload || attachment.fileName !== c.req.param("fileName")) throw missing();
    return c.redirect(storageAddress(world, attachment), 302);
  });
  app.delete("/cards/:id/attachments/:idAttachment", (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const attachment = findAttachment(card, c.req.param("idAttachment"));
    deleteAttachment(world, board, viewerOf(c), { card, attachment });
    return c.json({ limits: {} });
  });
  return app;
}

function stickerRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const edge = z.coerce.number().min(-60).max(100);
  app.get("/cards/:id/stickers", async (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(card.stickers.map((sticker) => renderSticker(world, sticker)));
  });
  app.post("/cards/:id/stickers", async (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const schema = z.object({
      image: z.string().refine((image) => STICKERS.includes(image)),
      top: edge,
      left: edge,
      zIndex: z.coerce.number().int(),
      rotate: z.coerce.number().min(0).max(360).default(0),
    });
    const order = await readParameters(c, world, schema);
    if (card.stickers.length >= world.settings.stickerLimit) throw tooMany("stickers.perCard");
    const sticker = { id: newId(world.state), ...order };
    card.stickers.push(sticker);
    world.save();
    return c.json(renderSticker(world, sticker));
  });
  app.delete("/cards/:id/stickers/:idSticker", (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const sticker = card.stickers.find((own) => own.id === c.req.param("idSticker"));
    if (!sticker) throw missing();
    card.stickers = card.stickers.filter((own) => own !== sticker);
    world.save();
    return c.json({ stickers: card.stickers.map((own) => renderSticker(world, own)) });
  });
  return app;
}

function personRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const value = z.object({ value: id });
  app.get("/cards/:id/members", async (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(membersOf(world, card.idMembers, fields));
  });
  app.post("/cards/:id/idMembers", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const idMember = (await readParameters(c, world, value)).value;
    requireMember(board, idMember);
    if (card.idMembers.includes(idMember)) throw new Refused(400, "member is already on the card");
    editCard(world, board, viewerOf(c), { card, idMembers: [...card.idMembers, idMember] });
    return c.json(membersOf(world, card.idMembers));
  });
  app.delete("/cards/:id/idMembers/:idMember", (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const idMembers = card.idMembers.filter((own) => own !== c.req.param("idMember"));
    if (idMembers.length === card.idMembers.length) throw new Refused(400, "member is not on the card");
    editCard(world, board, viewerOf(c), { card, idMembers });
    return c.json(membersOf(world, card.idMembers));
  });
  app.get("/cards/:id/membersVoted", async (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(membersOf(world, card.membersVoted, fields));
  });
  app.post("/cards/:id/membersVoted", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const idMember = (await readParameters(c, world, value)).value;
    const by = viewerOf(c);
    // Nobody can vote for somebody else, or when voting is off.
    if (idMember !== by.id || board.prefs.voting === "disabled") throw forbidden();
    if (card.membersVoted.includes(by.id)) throw new Refused(400, "member has already voted on the card");
    setVote(world, board, by, { card, hasVoted: true });
    return c.json({ _value: null });
  });
  app.delete("/cards/:id/membersVoted/:idMember", (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const by = viewerOf(c);
    if (c.req.param("idMember") !== by.id) throw forbidden();
    if (!card.membersVoted.includes(by.id)) throw new Refused(400, "member has not voted on the card");
    setVote(world, board, by, { card, hasVoted: false });
    return c.json({ _value: null });
  });
  return app;
}

function requireMember(board: Board, idMember: string): void {
  if (!board.memberships.some((own) => own.idMember === idMember)) throw invalid("value");
}
