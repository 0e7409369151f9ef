import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
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
export default function MenuFrame({ trigger, entries, align = "start" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={10}>
          {entries.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: -- a menu's lines do not change while it is open
            <Entry key={at} entry={entry} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  switch (entry.kind) {
    case "action":
      return (
        <DropdownMenu.Item className="menu__item" disabled={entry.isDisabled} onSelect={entry.onSelect}>
          {entry.label}
        </DropdownMenu.Item>
      );
    case "check":
      return (
        <DropdownMenu.CheckboxItem
          className="menu__item menu__item-mark"
          checked={entry.isChecked}
          disabled={entry.isDisabled}
          onCheckedChange={entry.onChange}
        >
          {entry.label}
          <Mark />
        </DropdownMenu.CheckboxItem>
      );
    case "choice":
      return (
        <>
          {entry.label && <DropdownMenu.Label className="menu__label">{entry.label}</DropdownMenu.Label>}
          <DropdownMenu.RadioGroup
            aria-label={entry.label}
            value={entry.value}
            onValueChange={entry.onChoose}
          >
            {entry.options.map(({ value, label }) => (
              <DropdownMenu.RadioItem className="menu__item menu__item-mark" key={value} value={value}>
                {label}
                <Mark />
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </>
      );
    case "heading":
      return <DropdownMenu.Label className="menu__label">{entry.label}</DropdownMenu.Label>;
    case "line":
      return <DropdownMenu.Separator className="menu__line" />;
  }
}

/** The tick of a chosen line. */
function Mark() {
  return (
    <DropdownMenu.ItemIndicator className="menu__mark">
      <Check aria-hidden />
    </DropdownMenu.ItemIndicator>
  );
}
