import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

/** Time between two attempts, in ms. */
const RETRY_MS = 3000;

/** While `isWanted`, revalidates the page's loaders every few seconds, and at once when the browser comes online. */
export function useRetry(isWanted: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isWanted) return;
    const timer = setInterval(revalidate, RETRY_MS);
    window.addEventListener("online", revalidate);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", revalidate);
    };
  }, [isWanted, revalidate]);
}
