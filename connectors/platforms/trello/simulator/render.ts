import type { TrelloWorld } from "./state.ts";

/** A thing as the API shows it. */
export type Body = Record<string, unknown>;

/**
 * Leaves of a thing the fields that were asked for; `id` is always there.
 * Trello overlooks names that it does not know; the simulator notes them, for they are somebody's mistake.
 * @param asked as in the query: `all`, names with commas, or nothing
 * @param standard what is shown when nothing was asked
 */
export function pick(world: TrelloWorld, full: Body, asked: string | undefined, standard: string): Body {
  const wanted = asked === undefined || asked === "" ? standard : asked;
  if (wanted === "all") return full;
  const names = new Set(wanted.split(","));
  if (asked !== undefined && asked !== "") {
    for (const name of names) {
      if (name in full || name === "none" || OPTIONAL.has(name)) continue;
      const reason = `there is no field ${name}`;
      world.refuse({ kind: "refused", method: "GET", path: "", status: 200, reason });
    }
  }
  return Object.fromEntries(Object.entries(full).filter(([name]) => name === "id" || names.has(name)));
}

/** Fields that some things of a kind have and others lack. */
const OPTIONAL = new Set([
  "email",
  "fileName",
  "options",
  "nodeId",
  "mirrorSourceId",
  "dateLastView",
  "badges",
]);

/** Texts come with their emoji, or null when they are empty. */
export function textData(text: string): { emoji: object } | null {
  return text === "" ? null : { emoji: {} };
}

/** The readable end of an address. */
export function slug(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
  return letters
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
}
