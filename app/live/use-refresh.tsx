import { useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import {
  createContext,
  type PropsWithChildren,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useReducer,
  useRef,
} from "react";

const RefreshContext = createContext<(() => void) | null>(null);

/**
 * Lets all components below revalidate the loaders without conflicts. A request during a revalidation or navigation
 * waits and runs once afterwards: live events come in bursts, and a load that overtakes another one aborts it with an
 * error. A request that was overtaken by a navigation runs again there, because loaders that ignore the query string do
 * not run when only the query string changes.
 */
export function RefreshProvider({ children }: PropsWithChildren) {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isIdle = state === "idle" && navigation.state === "idle";
  const { key } = useLocation();
  const now = useRef({ isIdle, revalidate, key });
  const isWanted = useRef(false);
  /** Location key of the last revalidation; null once it has finished. */
  const askedAt = useRef<string | null>(null);
  /** How many revalidations were started, and how many of them this render knows. */
  const started = useRef(0);
  const [known, countStart] = useReducer((count: number) => count + 1, 0);

  const refresh = useCallback(() => {
    // When offline, the loaders would fail and the shown page would be lost.
    isWanted.current = !now.current.isIdle || !navigator.onLine;
    if (isWanted.current) return;
    now.current.isIdle = false;
    askedAt.current = now.current.key;
    now.current.revalidate();
    started.current += 1;
    // A fast load may begin and end between two renders, and then only this makes another one. It is a transition like the
    // router's own updates (`v7_startTransition` in Remix's browser.js), so the render with it has the load's start too.
    startTransition(countStart);
  }, []);
  useEffect(() => {
    const isFree = isIdle && known === started.current;
    now.current = { isIdle: isFree, revalidate, key };
    if (isFree && askedAt.current !== null) {
      isWanted.current ||= askedAt.current !== key;
      askedAt.current = null;
    }
    const grant = () => {
      if (isFree && isWanted.current) refresh();
    };
    grant();
    window.addEventListener("online", grant);
    return () => window.removeEventListener("online", grant);
  }, [isIdle, revalidate, key, refresh, known]);

  return <RefreshContext.Provider value={refresh}>{children}</RefreshContext.Provider>;
}

/** Returns a function that revalidates the loaders, coordinated by the shell. */
export function useRefresh(): () => void {
  const { revalidate } = useRevalidator();
  return useContext(RefreshContext) ?? revalidate;
}
