import { DropdownMenu } from "@radix-ui/themes";
import { useSubmit } from "@remix-run/react";
import { LogOut } from "lucide-react";
import { shellCopy as copy, themeWords } from "#app/copy/shell.ts";
import { THEMES, type ThemeName } from "#app/theme/theme.ts";
import { useTheme } from "#app/theme/use-theme.ts";
import type { ShellView } from "./shell-view.ts";

/** Who is signed in, the theme, and the way out. */
export function UserMenu({ member }: { member: ShellView["member"] }) {
  const { theme, choose } = useTheme();
  const submit = useSubmit();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger>
        <button
          type="button"
          className="avatar"
          aria-label={copy.account(initialsOf(member.name), member.name)}
        >
          {initialsOf(member.name)}
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content align="end">
        <DropdownMenu.Label>
          <b className="medium">{member.name}</b>
          <br />
          {member.email}
        </DropdownMenu.Label>
        <DropdownMenu.Separator />
        <DropdownMenu.Label id="theme-label">{copy.theme}</DropdownMenu.Label>
        <DropdownMenu.RadioGroup
          aria-labelledby="theme-label"
          value={theme}
          onValueChange={(name) => choose(name as ThemeName)}
        >
          {THEMES.map((name) => (
            <DropdownMenu.RadioItem key={name} value={name}>
              {themeWords[name]}
            </DropdownMenu.RadioItem>
          ))}
        </DropdownMenu.RadioGroup>
        <DropdownMenu.Separator />
        <DropdownMenu.Item onSelect={() => submit(null, { method: "post", action: "/auth/sign-out" })}>
          <LogOut aria-hidden />
          {copy.signOut}
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

/** First letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}
