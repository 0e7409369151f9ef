import { Hono } from "hono";
import { z } from "zod";
import { createLabel, deleteLabel, LABEL_COLORS } from "../boards.ts";
import { renderLabel } from "../render-board.ts";
import type { TrelloWorld } from "../state.ts";
import { id, readParameters, text } from "./parameters.ts";
import { type RestEnv, reach, reachNamed } from "./reach.ts";

/** A label's colour; empty or null = no colour. */
export const labelColor = z
  .union([z.null(), z.string()])
  .transform((value) => (value === "" || value === "null" ? null : value))
  .refine((value) => value === null || LABEL_COLORS.includes(value));

/** `/labels…`. */
export function labelRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/labels", async (c) => {
    const schema = z.object({ name: text, color: labelColor, idBoard: id });
    const { idBoard, ...order } = await readParameters(c, world, schema);
    const { board } = reachNamed(c, world, "board", { id: idBoard, parameter: "idBoard" });
    return c.json({ ...renderLabel(board, createLabel(world, board, order)), limits: {} });
  });
  app.get("/labels/:id", async (c) => {
    const { board, label } = reach(c, world, "label", c.req.param("id"));
    await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(renderLabel(board, label));
  });
  app.put("/labels/:id", async (c) => {
    const { board, label } = reach(c, world, "label", c.req.param("id"));
    const schema = z.object({ name: text.optional(), color: labelColor.optional() });
    const order = await readParameters(c, world, schema);
    if (order.name !== undefined) label.name = order.name;
    if (order.color !== undefined) label.color = order.color;
    world.save();
    return c.json(renderLabel(board, label));
  });
  app.delete("/labels/:id", (c) => {
    const { board, label } = reach(c, world, "label", c.req.param("id"));
    deleteLabel(world, board, label);
    return c.json({ limits: {} });
  });
  return app;
}
