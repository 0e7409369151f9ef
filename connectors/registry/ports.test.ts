import { expect, test } from "vitest";
import { FIXED_PORTS, listenersOf } from "./ports.ts";
import { renderSetups } from "./render-setups.ts";

const setupAt = (offset: number, ...listeners: [string, ...string[]]) => ({
  settings: [],
  simulator: { offset, listeners, address: "ASANA_URL" },
});

test("a platform's listeners have consecutive ports from its offset, among the fixed ones", () => {
  const found = listenersOf([setupAt(11, "simulated Asana", "files of Asana"), { settings: [] }]);
  expect(found.filter(({ what }) => what.includes("Asana"))).toEqual([
    { offset: 11, what: "simulated Asana" },
    { offset: 12, what: "files of Asana" },
  ]);
  expect(found[0]).toEqual({ offset: 0, what: "Holdfast" });
});

test("the generator refuses a port that another platform or the product has, also for a second listener", () => {
  const asana = { id: "asana", setup: setupAt(12, "simulated Asana", "files of Asana") };
  const basecamp = (offset: number) => ({
    id: "basecamp",
    setup: setupAt(offset, "simulated Basecamp", "b"),
  });
  expect(() => renderSetups([asana, basecamp(14)])).not.toThrow();
  for (const offset of [11, 12, 13])
    expect(() => renderSetups([asana, basecamp(offset)])).toThrow(/offset 1[23]/);
  for (const { offset } of Object.values(FIXED_PORTS))
    expect(() => renderSetups([{ id: "asana", setup: setupAt(offset, "a") }])).toThrow(`offset ${offset}`);
  expect(() => renderSetups([{ id: "asana", setup: setupAt(6, "a", "b") }])).toThrow("offset 7");
});
