import { Link, NavLink, useLocation } from "@remix-run/react";
import {
  ArrowUpRight,
  CreditCard,
  LayoutDashboard,
  LifeBuoy,
  PanelLeftClose,
  PanelLeftOpen,
  Plug,
  ScrollText,
  UserRound,
} from "lucide-react";
import type { ReactNode } from "react";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { Tooltip } from "#app/components/tooltip.tsx";
import { shellCopy as copy } from "#app/copy/shell.ts";
import { actionsOf } from "#app/live/running-jobs.ts";
import { useRunningJobs } from "#app/live/use-live-events.tsx";
import { useRailAppearance } from "#app/theme/use-theme.ts";
import { type RailPlace, railPlaces } from "./rail-places.ts";
import type { ShellView } from "./shell-view.ts";

/** The sidebar: 258 px wide, 58 when collapsed. On small screens a drawer of 240 px shows the same links. */
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

const ICONS: Record<RailPlace["icon"], typeof Plug> = {
  dashboard: LayoutDashboard,
  connector: Plug,
  subscriptions: CreditCard,
  audit: ScrollText,
  profile: UserRound,
  support: LifeBuoy,
};

/** The links of sidebar and drawer: the fixed links, then the started platforms. */
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
        {railPlaces(shell).map(({ icon, to, label }) => {
          const Icon = ICONS[icon];
          return (
            <RailLink
              key={icon}
              to={to}
              alsoAt={icon === "profile" ? "/settings" : undefined}
              label={label}
              icon={<Icon aria-hidden />}
              hasTooltip={hasTooltips}
              onGo={onGo}
            />
          );
        })}
      </ul>
      {shell.platforms.length > 0 && (
        <>
          <p className="sidebar__group" id="integrations">
            {copy.integrations}
          </p>
          <ul aria-labelledby="integrations">
            {shell.platforms.map(({ id, label, isRevoked }) => (
              <RailLink
                key={id}
                to={`/platform/dashboard/${id}`}
                alsoAt={`/platform/backups/${id}`}
                label={label}
                icon={<PlatformMark platform={id} />}
                state={<PlatformState platform={id} isRevoked={isRevoked} />}
                hasTooltip={hasTooltips}
                onGo={onGo}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function RailLink({
  to,
  alsoAt,
  label,
  icon,
  state,
  hasTooltip,
  onGo,
}: {
  to: string;
  /** Path prefix of other pages for which this link is active too. */
  alsoAt?: string;
  label: string;
  icon: ReactNode;
  state?: ReactNode;
  hasTooltip?: boolean;
  onGo?: () => void;
}) {
  const { pathname } = useLocation();
  const isInside = alsoAt !== undefined && pathname.startsWith(alsoAt);
  const content = (
    <>
      {icon}
      <span className="sidebar__word">{label}</span>
      {state}
    </>
  );
  const link = isInside ? (
    <Link to={to} aria-current="page" onClick={onGo}>
      {content}
    </Link>
  ) : to.startsWith("/") ? (
    <NavLink to={to} end={to === "/"} onClick={onGo}>
      {content}
    </NavLink>
  ) : (
    <a href={to} target="_blank" rel="noopener noreferrer" onClick={onGo}>
      {content}
      <ArrowUpRight className="sidebar__out" aria-hidden />
      <span className="sr">{copy.opensNewTab}</span>
    </a>
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
