import { createMiddleware } from "hono/factory";
import { z } from "zod";

/** An order for the gateway: `skip` matching responses pass, the next `times` are replaced. */
export const spoilOrder = z.strictObject({
  method: z.string().optional(),
  /** Regular expression for path and query. */
  path: z.string().default("."),
  skip: z.number().int().min(0).default(0),
  times: z.number().int().min(1).default(1),
  status: z.number().int().min(500).max(599).default(504),
});
export type SpoilOrder = z.output<typeof spoilOrder>;

/**
 * The gateway in front of an API. On order, it lets the API handle a request and then responds with a timeout, so the
 * client does not know the outcome.
 */
export function gateway(world: { spoils: SpoilOrder[] }) {
  return createMiddleware(async (c, next) => {
    await next();
    const url = new URL(c.req.url);
    const order = takeOrder(world, c.req.method, `${url.pathname}${url.search}`);
    if (!order) return;
    c.res = undefined;
    c.res = new Response("upstream request timeout", {
      status: order.status,
      headers: { "Content-Type": "text/plain" },
    });
  });
}

function takeOrder(world: { spoils: SpoilOrder[] }, method: string, path: string): SpoilOrder | null {
  for (const order of world.spoils) {
    if (order.method !== undefined && order.method !== method) continue;
    if (!new RegExp(order.path).test(path)) continue;
    if (order.skip > 0) {
      order.skip -= 1;
      continue;
    }
    order.times -= 1;
    if (order.times === 0) world.spoils = world.spoils.filter((known) => known !== order);
    return order;
  }
  return null;
}
