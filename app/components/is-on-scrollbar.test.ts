import { expect, test } from "vitest";
import { isOnScrollbar } from "./is-on-scrollbar.ts";

test("a press is on a scrollbar when it is right of or below what an element shows", () => {
  const layer = { clientWidth: 1265, clientHeight: 800 };
  const isOn = (clientX: number, clientY: number) => isOnScrollbar({ clientX, clientY }, layer);
  expect([isOn(1264, 400), isOn(1265, 400), isOn(1279, 400)]).toEqual([false, true, true]);
  expect([isOn(600, 799), isOn(600, 800)]).toEqual([false, true]);
});
