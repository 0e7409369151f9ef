import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { lazyDialog } from "./dialog.tsx";

const never = () => new Promise<never>(() => {});

test("a dialog that is still loading stands as an empty frame of its size", () => {
  const Slow = lazyDialog<{ isOpen: boolean }>(never, "m");
  expect(renderToString(<Slow isOpen />)).toMatch(/aria-hidden="true".*class="[^"]*dialog dialog-m"/s);
  expect(renderToString(<Slow isOpen={false} />)).toBe("");
});
