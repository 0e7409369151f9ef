import { Link, useLocation, useNavigate } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { settingsCopy as copy } from "#app/copy/settings.ts";
import { pathOf, type Tab } from "./tabs.ts";

/** History state of a tab that was reached with the arrow keys. */
const BY_KEY = "by-key";

/** The tabs as links: each has an address, the arrow keys go along them, and the bar scrolls when it does not fit. */
export function TabBar({ tabs, tab }: { tabs: readonly Tab[]; tab: Tab }) {
  const navigate = useNavigate();
  const isByKey = useLocation().state === BY_KEY;
  const bar = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- the chosen tab comes into view whenever it changes
  useEffect(() => {
    const chosen = bar.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (bar.current && chosen) {
      bar.current.scrollLeft = chosen.offsetLeft - (bar.current.clientWidth - chosen.offsetWidth) / 2;
      /* From /profile the way leads to another page, whose bar takes the focus over. */
      if (isByKey && document.activeElement === document.body) chosen.focus();
    }
  }, [tab]);
  function go(event: KeyboardEvent) {
    /* The focused tab, not the chosen one: keys may come faster than pages. */
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

/** The tab a key leads to; null for keys that are not the bar's. */
function nextTab(tabs: readonly Tab[], tab: Tab, key: string): Tab | null {
  const at = tabs.indexOf(tab);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[key];
  return to === undefined ? null : (tabs[to % tabs.length] ?? null);
}
