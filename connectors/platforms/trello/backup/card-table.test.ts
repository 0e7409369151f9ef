import { expect, test } from "vitest";
import { cardTable } from "./card-table.ts";

/** Ids as Trello makes them, newest first: seconds, server, counter. */
const idOf = (number: number) =>
  `${(0x6a000000 + number).toString(16)}f0e1d2c3b4${number.toString(16).padStart(6, "0")}`;

test("a table finds every card by its id, and nothing else", () => {
  const table = cardTable();
  for (let number = 500; number > 0; number--) table.add(idOf(2 * number), number % 7);
  expect(table.size()).toBe(500);
  for (let number = 500; number > 0; number--) {
    const index = table.indexOf(idOf(2 * number));
    expect(table.idAt(index)).toBe(idOf(2 * number));
    expect(table.commentsAt(index)).toBe(number % 7);
    expect(table.indexOf(idOf(2 * number + 1))).toBe(-1);
  }
  for (const other of ["", "x", idOf(0), "f".repeat(24), `${idOf(2)}0`])
    expect(table.indexOf(other)).toBe(-1);
  expect(cardTable().indexOf(idOf(2))).toBe(-1);
});

test("a card out of order is refused, because it would not be found", () => {
  const table = cardTable();
  table.add(idOf(5), 0);
  for (const id of [idOf(5), idOf(6), "no id"]) expect(() => table.add(id, 0)).toThrow("out of order");
});
