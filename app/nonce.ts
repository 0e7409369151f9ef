import { createContext, useContext } from "react";

/** Nonce of this response's Content-Security-Policy; empty in the browser, which hides nonces from scripts. */
export const NonceContext = createContext("");

/** The nonce for script elements. */
export function useNonce(): string {
  return useContext(NonceContext);
}
