import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from "react";

/** One line of a menu. Its key is its place: menus do not change while they are open. */
export type MenuEntry =
  | { kind: "action"; label: ReactNode; isDisabled?: boolean; onSelect: () => void }
  | {
      kind: "check";
      label: ReactNode;
      isChecked: boolean;
      isDisabled?: boolean;
      onChange: (to: boolean) => void;
    }
  | {
      kind: "choice";
      /** Name of the group; shown when it is text to be read. */
      label?: string;
      value: string;
      options: readonly { value: string; label: ReactNode }[];
      onChoose: (value: string) => void;
    }
  | { kind: "heading"; label: ReactNode }
  | { kind: "line" };

export type MenuProps = {
  /** A button; the menu gives it the rest. */
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  align?: "start" | "end";
};

const load = () => import("./menu-frame.tsx");
/** Fetched when a pointer or the focus comes near a menu's button. */
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
