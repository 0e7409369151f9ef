import { cloneElement, lazy, Suspense, useState } from "react";
import type { MenuProps } from "./menu-frame.tsx";

const load = () => import("./menu-frame.tsx");
/** Loaded when the pointer or the focus reaches a menu button. */
const MenuFrame = lazy(load);

/** A button that opens a menu. */
export function Menu({ trigger, entries, align = "start" }: MenuProps) {
  const [isWanted, setIsWanted] = useState(false);
  const closed = (
    <>
      {cloneElement(trigger, {
        "aria-haspopup": "menu",
        "aria-expanded": false,
        onPointerEnter: () => void load(),
        onFocus: () => void load(),
        onClick: () => setIsWanted(true),
      })}
    </>
  );
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <MenuFrame trigger={trigger} entries={entries} align={align} />
    </Suspense>
  );
}
