import { callApi } from "#app/api/call-api.ts";
import type { FrameSurroundings } from "./enter-frame.ts";

/** The browser and our API, as a page in a host's frame uses them. */
export function frameSurroundings(): FrameSurroundings {
  return {
    parent: window.parent,
    listen: (take) => {
      window.addEventListener("message", take);
      return () => window.removeEventListener("message", take);
    },
    secret: () => base64Url(crypto.getRandomValues(new Uint8Array(32))),
    sha256Hex: async (text) => {
      const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    },
    exchange: async (input) =>
      (await callApi("POST identity/host/exchange", input, { isQuiet: true })).result,
    isKept: async () => (await callApi("GET identity/host/frame", {}, { isQuiet: true })).result.is_kept,
  };
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
