import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { lazyDialog } from "./dialog.tsx";

const never = () => new Promise<never>(() => {});

type Props = { isOpen: boolean; onClose: () => void; isWide?: boolean };
const onClose = () => {};

test("a dialog that is still loading stands as an empty frame of its size", () => {
  const Slow = lazyDialog<Props>(never, ({ isWide }) => (isWide ? "l" : "m"));
  const medium = renderToString(<Slow isOpen onClose={onClose} />);
  expect(medium).toMatch(/class="dialog dialog-m" role="dialog"[^>]* aria-label="Loading"/);
  expect(renderToString(<Slow isOpen isWide onClose={onClose} />)).toContain('class="dialog" role="dialog"');
  expect(renderToString(<Slow isOpen={false} onClose={onClose} />)).toBe("");
});

test("a dialog that its opener cannot close has no frame before it has come", () => {
  const Slow = lazyDialog<{ isOpen: boolean }>(never);
  expect(renderToString(<Slow isOpen />)).not.toContain("dialog");
});
