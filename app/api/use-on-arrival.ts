import { useEffect, useRef } from "react";

/**
 * Sends a call once, when the page is there: for pages whose opening is the request, such as the link of an e-mail. It
 * cannot be a query, because it changes something and must not be repeated.
 */
export function useOnArrival(send: () => void, isWanted = true): void {
  const latest = useRef(send);
  const isSent = useRef(false);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    if (!isWanted || isSent.current) return;
    isSent.current = true;
    latest.current();
  }, [isWanted]);
}
