import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin } from "vite";

/** Icons of the frame and of every list. They travel together: alone, each is a request with more wrapping than icon. */
const EVERYDAY_ICONS = new RegExp(
  "/lucide-react/.*/icons/(?:arrow-up-right|check|chevron-down|circle-exclamation-point|circle-x|clock|eye|info|plus" +
    "|rotate-ccw|trash|triangle-exclamation-point|x)[.]mjs$",
);

/** React is named only so that the icons do not take it along. */
function chunkOf(id: string): string | undefined {
  if (/\/node_modules\/(?:react|react-dom|scheduler)\//.test(id)) return "react";
  return EVERYDAY_ICONS.test(id) ? "icons" : undefined;
}

/** The Worker's own rules and connectors, except for how the connectors look, which only the screens show. */
const SHARED =
  /^#(?:core|workers|connectors(?!\/registry\/(?:storage-)?descriptors|.*\/(?:ui|descriptor)[.]tsx?$))\//;
const FETCHING = "/@remix-run/react/dist/esm/single-fetch.js";
const LOGS = "console.error(e);\n    throw new Error(`Unable to decode";

/**
 * Remix logs an answer that it cannot read, and takes one for such that a newer navigation breaks off half-way. React
 * Router 7, its successor, logs nothing there. Here what was broken off is not logged, everything else is.
 */
const quietAborts: Plugin = {
  name: "quiet-aborts",
  transform(code, id) {
    if (!id.endsWith(FETCHING)) return null;
    if (!code.includes(LOGS)) this.error("Remix logs differently now: look whether this is still needed");
    return { code: code.replace(LOGS, `if (!init.signal?.aborted) ${LOGS}`), map: null };
  },
};

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [
    quietAborts,
    remix({
      ignoredRouteFiles: ["**/*.test.{ts,tsx}"],
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_throwAbortReason: true,
        v3_lazyRouteDiscovery: true,
        v3_singleFetch: true,
      },
    }),
  ],
  ssr: {
    resolve: { conditions: ["workerd", "worker", "browser"] },
    // Bundled here, of thousands of icons only the dozens shown are loaded where nothing else bundles. What the Worker
    // uses too stays outside, so that both have the same.
    noExternal: true,
    external: [
      "react",
      "react-dom",
      "zod",
      "@remix-run/cloudflare",
      "@remix-run/router",
      "@remix-run/server-runtime",
    ],
  },
  // One form of the schema library in the browser: conform names the whole one for four functions that both have.
  resolve: {
    alias: [{ find: /^zod\/v4$/, replacement: "zod/mini" }],
    mainFields: ["browser", "module", "main"],
  },
  build: {
    minify: true,
    target: "es2022",
    // The rules and connectors are bundled once, with the Worker: screens that brought copies of their own would not know
    // the errors that the Worker's copies throw.
    rollupOptions: isSsrBuild
      ? { external: SHARED, output: { hoistTransitiveImports: false } }
      : { output: { manualChunks: chunkOf, experimentalMinChunkSize: 30_000 } },
  },
}));
