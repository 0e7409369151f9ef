import type { TrelloWorld } from "./state.ts";

/** A thing as the API shows it. */
export type Body = Record<string, unknown>;

/**
 * Returns only the requested fields of a thing, and always `id`.
 * Trello ignores unknown names; the simulator records them, because they are mistakes.
 * @param asked as in the query: `all`, comma-separated names, or nothing
 * @param standard the default fields
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

/** Fields that only some things of a kind have. */
const OPTIONAL = new Set([
  "email",
  "fileName",
  "options",
  "nodeId",
  "mirrorSourceId",
  "dateLastView",
  "badges",
]);

/** The custom emoji of a text; null for an empty text. */
export function textData(text: string): { emoji: object } | null {
  return text === "" ? null : { emoji: {} };
}

/** The readable end of a URL. */
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
