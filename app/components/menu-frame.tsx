import { DropdownMenu, Theme } from "@radix-ui/themes";
import type { MenuEntry, MenuProps } from "./menu.tsx";

/** What `Menu` becomes once it is wanted: open from its first moment. */
export default function MenuFrame({ trigger, entries, align }: MenuProps) {
  return (
    /* The component library's menu asks for its theme, which the page does not have; it draws no box of its own. */
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
