import { z } from "zod";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { linkedId } from "./page-links.ts";

/** Names of the questions. Runs store answers by them. */
export const TO = "to";
export const ADDRESS = "address";

/** Values of `TO` besides the ids of pages. */
export const OWN_TABLE = "table";
export const BY_ADDRESS = "address";

const schema = z.object({ [TO]: z.string().catch(""), [ADDRESS]: z.string().catch("") });

/** Where a part goes in a workspace that exists: its own table, a page, or not said. */
export type PartPlace = { kind: "table" } | { kind: "page"; pageId: string } | { kind: "unknown" };

/** Parses the answers of an order; what is missing or unknown is the default: a row goes into its table. */
export function placeOf({ answers }: Pick<RestoreOrder, "answers">, isRow: boolean): PartPlace {
  const { to, address } = schema.parse(answers);
  const fallback: PartPlace = isRow ? { kind: "table" } : { kind: "unknown" };
  if (to === OWN_TABLE) return fallback;
  const pageId = to === BY_ADDRESS || to === "" ? readId(address) : readId(to);
  return pageId === null ? fallback : { kind: "page", pageId };
}

/** The id of a page in an address, or an id itself. */
export function readId(text: string): string | null {
  const trimmed = text.trim();
  return linkedId(trimmed) ?? linkedId(`/${trimmed}`);
}
