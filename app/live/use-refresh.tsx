import { useLocation, useNavigation, useRevalidator } from "@remix-run/react";
import { createContext, type PropsWithChildren, useCallback, useContext, useEffect, useRef } from "react";

const RefreshContext = createContext<(() => void) | null>(null);

/**
 * Lets everything below ask the loaders anew without getting in each other's way. A wish that comes while they are being
 * asked, or while a page is on its way, waits and is granted once: live events come in bursts, and a load that overtakes
 * another one breaks it off with an error. A wish that moving to another address has overtaken is granted again there: the
 * loaders that read no address sit still when only the search changes, whatever was on its way.
 */
export function RefreshProvider({ children }: PropsWithChildren) {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isIdle = state === "idle" && navigation.state === "idle";
  const { key } = useLocation();
  const now = useRef({ isIdle, revalidate, key });
  const isWanted = useRef(false);
  /** The visit during which the loaders were last asked; null once they have answered. */
  const askedAt = useRef<string | null>(null);

  const refresh = useCallback(() => {
    // Loaders that cannot be reached would take the page away that is shown.
    isWanted.current = !now.current.isIdle || !navigator.onLine;
    if (isWanted.current) return;
    now.current.isIdle = false;
    askedAt.current = now.current.key;
    now.current.revalidate();
  }, []);
  useEffect(() => {
    now.current = { isIdle, revalidate, key };
    if (isIdle && askedAt.current !== null) {
      isWanted.current ||= askedAt.current !== key;
      askedAt.current = null;
    }
    const grant = () => {
      if (isIdle && isWanted.current) refresh();
    };
    grant();
    window.addEventListener("online", grant);
    return () => window.removeEventListener("online", grant);
  }, [isIdle, revalidate, key, refresh]);

  return <RefreshContext.Provider value={refresh}>{children}</RefreshContext.Provider>;
}

/** Asks the loaders anew, in turn with everybody else in the shell. */
export function useRefresh(): () => void {
  const { revalidate } = useRevalidator();
  return useContext(RefreshContext) ?? revalidate;
}
