import { randomBytes } from "node:crypto";
import type { TrelloState } from "./state.ts";

/**
 * Makes an id of 24 hexadecimal digits as Trello's database does: creation time in seconds, server, counter. So ids of
 * one server increase over time, and a card's id contains its creation time.
 * @param at epoch milliseconds
 */
export function newId(state: TrelloState, at: number = Date.now()): string {
  state.counter = (state.counter + 1) % 0x1000000;
  const second = Math.floor(at / 1000)
    .toString(16)
    .padStart(8, "0");
  return `${second}${state.machine}${state.counter.toString(16).padStart(6, "0")}`;
}

/** The creation time in an id, in epoch milliseconds, exact to the second. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 1000;
}

/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/i.test(text);
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Eight letters and digits: the short name of a board or card in URLs. */
export function newShortLink(): string {
  return [...randomBytes(8)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** Trello's timestamps have milliseconds. */
export function timestamp(at: number = Date.now()): string {
  return new Date(at).toISOString();
}
