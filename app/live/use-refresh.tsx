import { useNavigation, useRevalidator } from "@remix-run/react";
import { createContext, type PropsWithChildren, useCallback, useContext, useEffect, useRef } from "react";

const RefreshContext = createContext<(() => void) | null>(null);

/**
 * Lets everything below ask the loaders anew without getting in each other's way. A wish that comes while they are being
 * asked, or while a page is on its way, waits and is granted once: live events come in bursts, and a load that overtakes
 * another one breaks it off with an error.
 */
export function RefreshProvider({ children }: PropsWithChildren) {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isIdle = state === "idle" && navigation.state === "idle";
  const now = useRef({ isIdle, revalidate });
  const isWanted = useRef(false);

  const refresh = useCallback(() => {
    // Loaders that cannot be reached would take the page away that is shown.
    isWanted.current = !now.current.isIdle || !navigator.onLine;
    if (isWanted.current) return;
    now.current.isIdle = false;
    now.current.revalidate();
  }, []);
  useEffect(() => {
    now.current = { isIdle, revalidate };
    const grant = () => {
      if (isIdle && isWanted.current) refresh();
    };
    grant();
    window.addEventListener("online", grant);
    return () => window.removeEventListener("online", grant);
  }, [isIdle, revalidate, refresh]);

  return <RefreshContext.Provider value={refresh}>{children}</RefreshContext.Provider>;
}

/** Asks the loaders anew, in turn with everybody else in the shell. */
export function useRefresh(): () => void {
  const { revalidate } = useRevalidator();
  return useContext(RefreshContext) ?? revalidate;
}
