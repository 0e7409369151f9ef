import { makeBook } from "./make.ts";
import { fillBook } from "./seed-book.ts";
import { type AlmanacWorld, newId } from "./state.ts";

/** The person whose account tests use. */
export const NORA = { login: "nora-lindqvist", name: "Nora Lindqvist" };
const SITES = [
  { name: "Meridian Freight", address: "meridian.almanac.example" },
  { name: "Harbour Works", address: "harbour-works.almanac.example" },
  { name: "Lindqvist Family", address: "lindqvist.almanac.example" },
];

/** Fills a new world: Nora with three sites, Mats with one, and in a demo a few books. */
export function seedWorld(world: AlmanacWorld, seed: "demo" | "people"): void {
  const { state } = world;
  for (const site of SITES) state.sites.push({ id: newId(state, "st"), ...site });
  const siteIds = state.sites.map(({ id }) => id);
  state.people.push({ id: newId(state, "pe"), ...NORA, siteIds });
  const mats = { login: "mats-ek", name: "Mats Ek" };
  state.people.push({ id: newId(state, "pe"), ...mats, siteIds: siteIds.slice(1, 2) });
  if (seed === "people") return;
  const make = (at: number, name: string, isFull: boolean, sharing: "private" | "site" = "site") => {
    const siteId = siteIds[at] ?? "";
    const book = makeBook(world, { siteId, name, description: `All about ${name.toLowerCase()}`, sharing });
    if (isFull) fillBook(world, book);
  };
  make(0, "Harbour handbook", true);
  make(0, "Cranes and berths", true);
  make(0, "Board minutes", false, "private");
  make(1, "Dry dock", true);
  make(1, "Apprentices", false);
  make(2, "Recipes", false, "private");
}
