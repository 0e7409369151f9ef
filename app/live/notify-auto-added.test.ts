import { expect, test } from "vitest";
import { presentToasts, type Toast } from "#app/components/toasts.ts";
import { notifyAutoAdded } from "./notify-auto-added.ts";

const told = (event: { names?: string[]; count: number; waiting?: number }) => {
  const toasts: Toast[] = [];
  const end = presentToasts((toast) => toasts.push(toast));
  notifyAutoAdded({
    kind: "event",
    event: { method: "items-auto-added", platform: "forge", names: [], waiting: 0, ...event },
  });
  end();
  return toasts.map(({ text, tone }) => (tone === "bad" ? `! ${text}` : text));
};

test("automatically protected items are listed by name, many by the first two", () => {
  expect(told({ names: ["crane"], count: 1 })).toEqual(["crane is new and protected now"]);
  expect(told({ names: ["crane", "dock"], count: 2 })).toEqual([
    "2 new items are protected now: crane, dock",
  ]);
  expect(told({ names: ["a", "b", "c", "d", "e"], count: 9 })).toEqual([
    "9 new items are protected now: a, b and 7 more",
  ]);
});

test("items beyond the plan's limit are reported separately", () => {
  expect(told({ count: 0, waiting: 1 })).toEqual(["! 1 new item exceeds the plan's limit"]);
  expect(told({ names: ["crane"], count: 1, waiting: 3 })).toEqual([
    "crane is new and protected now",
    "! 3 new items exceed the plan's limit",
  ]);
});

test("other events and gaps show nothing", () => {
  const toasts: Toast[] = [];
  const end = presentToasts((toast) => toasts.push(toast));
  notifyAutoAdded({ kind: "resync" });
  notifyAutoAdded({ kind: "event", event: { method: "items-changed", platform: "forge", ids: [] } });
  end();
  expect(toasts).toEqual([]);
});
