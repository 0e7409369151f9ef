import { Menu } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { shellCopy as copy } from "#app/copy/shell.ts";
import type { ShellView } from "./shell-view.ts";

const load = () => import("./drawer-frame.tsx");
/** Loaded when the pointer or the focus reaches the button. */
const DrawerFrame = lazy(load);

/** The sidebar as a drawer, for screens up to 900 px (spec ). */
export function MenuDrawer({ shell }: { shell: ShellView }) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="icon-btn icon-btn-l only-s"
        aria-label={copy.menu}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => {
          setWasOpen(true);
          setIsOpen(true);
        }}
      >
        <Menu className="icon-l" aria-hidden />
      </button>
      {wasOpen && (
        <Suspense fallback={null}>
          <DrawerFrame shell={shell} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
