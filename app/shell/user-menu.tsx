import { Link, useNavigate } from "@remix-run/react";
import { ChevronDown } from "lucide-react";
import { Menu } from "#app/components/menu.tsx";
import type { MenuEntry } from "#app/components/menu-frame.tsx";
import { shellCopy as copy, themeWords } from "#app/copy/shell.ts";
import { initialsOf } from "#app/format/initials.ts";
import { leave } from "#app/session/leave.ts";
import { THEMES, type ThemeName } from "#app/theme/theme.ts";
import { useTheme } from "#app/theme/use-theme.ts";
import type { ShellView } from "./shell-view.ts";
import { openSupport } from "./support.ts";

/**
 * The avatar, which links to the profile, and the account menu (spec ). The spec leaves one item open; it
 * is Settings.
 */
export function UserMenu({ shell }: { shell: ShellView }) {
  const { member } = shell;
  const { theme, choose } = useTheme();
  const navigate = useNavigate();
  return (
    <span className="user-menu">
      <Link
        className="avatar"
        to="/profile"
        aria-label={copy.profileOf(initialsOf(member.name), member.name)}
      >
        {member.picture ? (
          <img src={member.picture} alt="" width={32} height={32} />
        ) : (
          initialsOf(member.name)
        )}
      </Link>
      <Menu
        align="end"
        trigger={
          <button type="button" className="icon-btn user-menu__open" aria-label={copy.account(member.name)}>
            <ChevronDown aria-hidden />
          </button>
        }
        entries={[
          {
            kind: "heading",
            label: (
              <>
                <b className="medium">{member.name}</b>
                <br />
                {member.email}
              </>
            ),
          },
          { kind: "line" },
          ...accountPlaces(shell, navigate),
          { kind: "line" },
          {
            kind: "choice",
            label: copy.theme,
            value: theme,
            options: THEMES.map((name) => ({ value: name, label: themeWords[name] })),
            onChoose: (name) => choose(name as ThemeName),
          },
          { kind: "line" },
          { kind: "action", label: copy.signOut, onSelect: () => void leave("chosen") },
        ]}
      />
    </span>
  );
}

/** The links of the account menu. Restricted mode has no Support (spec ). */
export function accountPlaces(
  shell: Pick<ShellView, "isRestricted" | "helpUrl">,
  navigate: (to: string) => void,
): Extract<MenuEntry, { kind: "action" }>[] {
  const support = {
    kind: "action",
    label: copy.support,
    onSelect: () => openSupport(shell, navigate),
  } as const;
  return [
    { kind: "action", label: copy.contact, onSelect: () => navigate("/contact") },
    ...(shell.isRestricted ? [] : [support]),
    { kind: "action", label: copy.settings, onSelect: () => navigate("/settings") },
  ];
}
