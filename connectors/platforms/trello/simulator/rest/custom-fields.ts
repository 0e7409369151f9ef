import { Hono } from "hono";
import { z } from "zod";
import {
  type AskedValue,
  createCustomField,
  createOption,
  deleteCustomField,
  requireCustomFields,
  setCustomFieldItem,
} from "../custom-fields.ts";
import { inOrder, placeAmong } from "../positions.ts";
import { invalid, missing, Refused } from "../refused.ts";
import { renderCustomField, renderOption } from "../render-board.ts";
import { renderFieldItems } from "../render-card.ts";
import type { Board, Card, CustomField, TrelloWorld } from "../state.ts";
import { bool, id, name, objectOf, place, readParameters, text } from "./parameters.ts";
import { type RestEnv, reach, reachNamed, viewerOf } from "./reach.ts";

const OPTION_COLORS = [
  "none",
  "green",
  "yellow",
  "orange",
  "red",
  "purple",
  "blue",
  "sky",
  "lime",
  "pink",
  "black",
];
const optionColors = z.string().refine((color) => OPTION_COLORS.includes(color));
const option = z.object({
  value: z.object({ text: name }),
  color: optionColors.optional(),
  pos: place.optional(),
});
const creation = z.object({
  idModel: id,
  modelType: z.literal("board"),
  name,
  type: z.enum(["checkbox", "list", "number", "text", "date"]),
  pos: place,
  display_cardFront: bool.optional(),
  options: z.array(option).optional(),
});

/** Custom fields, their options and their values on cards. */
export function customFieldRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/customFields", async (c) => {
    const order = await readParameters(c, world, creation);
    const { board } = reachNamed(c, world, "board", { id: order.idModel, parameter: "idModel" });
    requireCustomFields(world, board);
    if (order.options !== undefined && order.type !== "list") throw invalid("options");
    const field = createCustomField(world, board, viewerOf(c), {
      name: order.name,
      type: order.type,
      place: order.pos,
      isOnFront: order.display_cardFront,
      options: order.options?.map(({ value, color, pos }) => ({ text: value.text, color, place: pos })),
    });
    return c.json(renderCustomField(world, board, field));
  });
  app.get("/customFields/:id", async (c) => {
    const { board, field } = reach(c, world, "customField", c.req.param("id"));
    await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(renderCustomField(world, board, field));
  });
  app.put("/customFields/:id", async (c) => {
    const { board, field } = reach(c, world, "customField", c.req.param("id"));
    const schema = z.object({
      name: name.optional(),
      pos: place.optional(),
      "display/cardFront": bool.optional(),
    });
    const order = await readParameters(c, world, schema);
    requireCustomFields(world, board);
    if (order.name !== undefined) field.name = order.name;
    const others = board.customFields.filter((own) => own !== field);
    if (order.pos !== undefined) field.pos = placeAmong(others, order.pos);
    if (order["display/cardFront"] !== undefined) field.isOnFront = order["display/cardFront"];
    world.save();
    return c.json(renderCustomField(world, board, field));
  });
  app.delete("/customFields/:id", (c) => {
    const { board, field } = reach(c, world, "customField", c.req.param("id"));
    deleteCustomField(world, board, viewerOf(c), field);
    return c.json({ limits: {} });
  });
  app.route("/", optionRoutes(world));
  app.route("/", valueRoutes(world));
  return app;
}

function optionRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/customFields/:id/options", (c) => {
    const { field } = reach(c, world, "customField", c.req.param("id"));
    return c.json(inOrder(field.options).map((own) => renderOption(field, own)));
  });
  app.post("/customFields/:id/options", async (c) => {
    const { board, field } = reach(c, world, "customField", c.req.param("id"));
    const schema = z.object({
      value: z.unknown().optional(),
      "value[text]": name.optional(),
      color: optionColors.optional(),
      pos: place.optional(),
    });
    const order = await readParameters(c, world, schema);
    requireCustomFields(world, board);
    if (field.type !== "list") throw invalid("type");
    const said = order["value[text]"] ?? objectOf(order.value, "value").text;
    if (typeof said !== "string" || said === "") throw invalid("value");
    return c.json(
      renderOption(field, createOption(world, field, { text: said, color: order.color, place: order.pos })),
    );
  });
  app.get("/customFields/:id/options/:idOption", (c) => {
    const { field } = reach(c, world, "customField", c.req.param("id"));
    const found = field.options.find((own) => own.id === c.req.param("idOption"));
    if (!found) throw missing();
    return c.json(renderOption(field, found));
  });
  app.delete("/customFields/:id/options/:idOption", (c) => {
    const { board, field } = reach(c, world, "customField", c.req.param("id"));
    const wanted = c.req.param("idOption");
    field.options = field.options.filter((own) => own.id !== wanted);
    for (const card of board.cards) {
      card.customFieldItems = card.customFieldItems.filter(({ idValue }) => idValue !== wanted);
    }
    world.save();
    return c.json({});
  });
  return app;
}

function valueRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/cards/:id/customFieldItems", (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    return c.json(renderFieldItems(card));
  });
  const nothing = { value: z.unknown().optional(), idValue: text.nullable().optional() };
  const keys = ["text", "number", "date", "checked"].map(
    (key) => [`value[${key}]`, text.optional()] as const,
  );
  const single = z.object({ ...nothing, ...Object.fromEntries(keys) });
  app.put("/cards/:id/customField/:idField/item", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const order = await readParameters(c, world, single);
    const field = fieldOf(board, c.req.param("idField"));
    return c.json(
      setItem(
        { board, card, field, asked: askedOf(order as Record<string, unknown>) },
        c.get("viewer").member,
      ),
    );
  });
  app.put("/cards/:id/customFields", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const items = z.array(z.object({ ...nothing, idCustomField: id }));
    const { customFieldItems } = await readParameters(c, world, z.object({ customFieldItems: items }));
    const by = viewerOf(c);
    const set = customFieldItems.map((item) => {
      const field = fieldOf(board, item.idCustomField);
      return setItem({ board, card, field, asked: askedOf(item) }, by);
    });
    return c.json(set);
  });
  const setItem = (
    order: { board: Board; card: Card; field: CustomField; asked: AskedValue },
    by: Parameters<typeof setCustomFieldItem>[2],
  ) => {
    const { board, ...rest } = order;
    requireCustomFields(world, board);
    const item = setCustomFieldItem(world, board, by, rest);
    const shown = renderFieldItems(order.card).find((own) => own.id === item?.id);
    return (
      shown ?? { idCustomField: order.field.id, idModel: order.card.id, modelType: "card", idValue: null }
    );
  };
  return app;
}

function fieldOf(board: Board, wanted: string): CustomField {
  const field = board.customFields.find((own) => own.id === wanted);
  if (!field) throw new Refused(400, "invalid value for idCustomField");
  return field;
}

/** A value as JSON, or as `value[text]=…`; an empty text clears it. */
function askedOf(order: Record<string, unknown>): AskedValue {
  const entries = Object.entries(order).flatMap(([key, value]) => {
    const inner = /^value\[(\w+)\]$/.exec(key)?.[1];
    return inner === undefined || value === undefined ? [] : [[inner, value] as const];
  });
  const value =
    entries.length > 0
      ? Object.fromEntries(entries)
      : order.value === undefined || order.value === "" || order.value === null
        ? null
        : objectOf(order.value, "value");
  const idValue = typeof order.idValue === "string" && order.idValue !== "" ? order.idValue : null;
  return { value, idValue };
}
