import { Link, useLocation, useNavigate } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { settingsCopy as copy } from "#app/copy/settings.ts";
import { pathOf, type Tab } from "./tabs.ts";

/** History state of a tab that was selected with the arrow keys. */
const BY_KEY = "by-key";

/** The tabs as links, each with its own URL. Supports arrow keys; scrolls when it does not fit. */
export function TabBar({ tabs, tab }: { tabs: readonly Tab[]; tab: Tab }) {
  const navigate = useNavigate();
  const isByKey = useLocation().state === BY_KEY;
  const bar = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- scroll the selected tab into view when it changes
  useEffect(() => {
    const chosen = bar.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (bar.current && chosen) {
      bar.current.scrollLeft = chosen.offsetLeft - (bar.current.clientWidth - chosen.offsetWidth) / 2;
      /* From /profile, the navigation opens another page, whose tab bar takes over the focus. */
      if (isByKey && document.activeElement === document.body) chosen.focus();
    }
  }, [tab]);
  function go(event: KeyboardEvent) {
    /* The focused tab, not the selected one: key presses may be faster than navigation. */
    const from = tabs.find((each) => (event.target as HTMLElement).id === `tab-${each}`) ?? tab;
    const next = nextTab(tabs, from, event.key);
    if (!next) return;
    event.preventDefault();
    navigate(pathOf(next), { preventScrollReset: true, state: BY_KEY });
    document.getElementById(`tab-${next}`)?.focus();
  }
  return (
    <div ref={bar} className="settings-tabs" role="tablist" aria-label={copy.title} onKeyDown={go}>
      {tabs.map((each) => (
        <Link
          key={each}
          to={pathOf(each)}
          preventScrollReset
          role="tab"
          id={`tab-${each}`}
          aria-controls={`panel-${each}`}
          aria-selected={each === tab}
          tabIndex={each === tab ? 0 : -1}
        >
          {copy.tabs[each]}
        </Link>
      ))}
    </div>
  );
}

/** The tab that a key selects; null for other keys. */
function nextTab(tabs: readonly Tab[], tab: Tab, key: string): Tab | null {
  const at = tabs.indexOf(tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[key];
  return to === undefined ? null : (tabs[to % tabs.length] ?? null);
}
