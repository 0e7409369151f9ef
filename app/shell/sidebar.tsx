import { Tooltip } from "@radix-ui/themes";
import { NavLink } from "@remix-run/react";
import { LayoutDashboard, PanelLeftClose, PanelLeftOpen, Plug } from "lucide-react";
import type { ReactNode } from "react";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { shellCopy as copy } from "#app/copy/shell.ts";
import { actionsOf } from "#app/live/running-jobs.ts";
import { useRunningJobs } from "#app/live/use-live-events.tsx";
import { useRailAppearance } from "#app/theme/use-theme.ts";
import type { ShellView } from "./shell-view.ts";

/** The rail: 258 wide, 58 when folded; a drawer of 240 shows the same links on small screens. */
export function Sidebar({
  shell,
  isCollapsed,
  onFold,
}: {
  shell: ShellView;
  isCollapsed: boolean;
  onFold: (isCollapsed: boolean) => void;
}) {
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  const word = isCollapsed ? copy.expand : copy.collapse;
  return (
    <nav className="sidebar" data-appearance={useRailAppearance()} aria-label={copy.main}>
      <div className="sidebar__stay">
        <SidebarLinks shell={shell} hasTooltips={isCollapsed} />
        <div className="sidebar__foot">
          <button
            type="button"
            className="sidebar__fold"
            aria-expanded={!isCollapsed}
            onClick={() => onFold(!isCollapsed)}
          >
            <Icon aria-hidden />
            <span className="sidebar__word">{word}</span>
            <span className="kbd" aria-hidden>
              [
            </span>
          </button>
        </div>
      </div>
    </nav>
  );
}

/** The links of rail and drawer; only places that exist. */
export function SidebarLinks({
  shell,
  hasTooltips,
  onGo,
}: {
  shell: ShellView;
  hasTooltips?: boolean;
  onGo?: () => void;
}) {
  return (
    <>
      <ul>
        <RailLink
          to="/"
          label={copy.dashboard}
          icon={<LayoutDashboard aria-hidden />}
          hasTooltip={hasTooltips}
          onGo={onGo}
        />
        <RailLink
          to="/app-connector"
          label={copy.connector}
          icon={<Plug aria-hidden />}
          hasTooltip={hasTooltips}
          onGo={onGo}
        />
      </ul>
      <p className="sidebar__group" id="integrations">
        {copy.integrations}
      </p>
      <ul aria-labelledby="integrations">
        {shell.platforms.map(({ id, label, isRevoked }) => (
          <RailLink
            key={id}
            to={`/platform/dashboard/${id}`}
            label={label}
            icon={<PlatformMark platform={id} />}
            state={<PlatformState platform={id} isRevoked={isRevoked} />}
            hasTooltip={hasTooltips}
            onGo={onGo}
          />
        ))}
      </ul>
    </>
  );
}

function RailLink({
  to,
  label,
  icon,
  state,
  hasTooltip,
  onGo,
}: {
  to: string;
  label: string;
  icon: ReactNode;
  state?: ReactNode;
  hasTooltip?: boolean;
  onGo?: () => void;
}) {
  const link = (
    <NavLink to={to} end={to === "/"} onClick={onGo}>
      {icon}
      <span className="sidebar__word">{label}</span>
      {state}
    </NavLink>
  );
  return (
    <li>
      {hasTooltip ? (
        <Tooltip content={label} side="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
    </li>
  );
}

function PlatformState({ platform, isRevoked }: { platform: string; isRevoked: boolean }) {
  const running = actionsOf(useRunningJobs(), platform).length;
  if (isRevoked) {
    return (
      <span className="sidebar__state" title={copy.disconnected}>
        <span className="dot dot-bad" />
        <span className="sr">{copy.disconnected}</span>
      </span>
    );
  }
  if (running === 0) return null;
  return (
    <span className="sidebar__state" title={`${running} ${copy.running}`}>
      <span className="dot dot-run" />
      <b>{running}</b>
      <span className="sr">{copy.running}</span>
    </span>
  );
}
