import type { Context } from "hono";
import { missing } from "./refused.ts";
import type { AlmanacWorld, Person, Site, StoredBook } from "./state.ts";

/** What the API knows of a request: whose token it carries. */
export type AlmanacEnv = { Variables: { person: Person } };

/** The site in the address. @throws Refused when the person does not have it */
export function siteOf(world: AlmanacWorld, c: Context<AlmanacEnv>): Site {
  const id = c.req.param("site") ?? "";
  const site = c.get("person").siteIds.includes(id) && world.state.sites.find((one) => one.id === id);
  if (!site) throw missing("site");
  return site;
}

/** The book in the address. @throws Refused */
export function bookOf(world: AlmanacWorld, c: Context<AlmanacEnv>): StoredBook {
  const { id } = siteOf(world, c);
  const book = world.state.books.find((one) => one.siteId === id && one.id === c.req.param("book"));
  if (!book) throw missing("book");
  return book;
}
