import { DropdownMenu, Theme } from "@radix-ui/themes";
import type { ReactElement, ReactNode } from "react";

export type MenuProps = {
  /** The button that opens the menu. */
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  align?: "start" | "end";
};

/** One line of a menu. Its key is its index: menus do not change while they are open. */
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
      /** Name of the group; shown when it is a string. */
      label?: string;
      value: string;
      options: readonly { value: string; label: ReactNode }[];
      onChoose: (value: string) => void;
    }
  | { kind: "heading"; label: ReactNode }
  | { kind: "line" };

/** The menu behind `Menu`. It is open when it mounts. */
export default function MenuFrame({ trigger, entries, align }: MenuProps) {
  return (
    /* The component library's menu needs a theme, which the page does not have. This one renders no box. */
    <Theme asChild hasBackground={false}>
      <span className="menu-theme">
        <DropdownMenu.Root modal={false} defaultOpen>
          <DropdownMenu.Trigger>{trigger}</DropdownMenu.Trigger>
          <DropdownMenu.Content align={align}>
            {entries.map((entry, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: -- a menu's lines do not change while it is open
              <Entry key={at} entry={entry} />
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Root>
      </span>
    </Theme>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  switch (entry.kind) {
    case "action":
      return (
        <DropdownMenu.Item disabled={entry.isDisabled} onSelect={entry.onSelect}>
          {entry.label}
        </DropdownMenu.Item>
      );
    case "check":
      return (
        <DropdownMenu.CheckboxItem
          checked={entry.isChecked}
          disabled={entry.isDisabled}
          onCheckedChange={entry.onChange}
        >
          {entry.label}
        </DropdownMenu.CheckboxItem>
      );
    case "choice":
      return (
        <>
          {entry.label && <DropdownMenu.Label>{entry.label}</DropdownMenu.Label>}
          <DropdownMenu.RadioGroup
            aria-label={entry.label}
            value={entry.value}
            onValueChange={entry.onChoose}
          >
            {entry.options.map(({ value, label }) => (
              <DropdownMenu.RadioItem key={value} value={value}>
                {label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </>
      );
    case "heading":
      return <DropdownMenu.Label>{entry.label}</DropdownMenu.Label>;
    case "line":
      return <DropdownMenu.Separator />;
  }
}
