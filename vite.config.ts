import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig, type Plugin } from "vite";
import { screensChunks } from "./workers/commands/screens-chunks.ts";
import { wordLists } from "./workers/commands/word-lists.ts";

/** Core, workers and connectors. Excludes the connectors' UI and descriptors, which only the screens use. */
const SHARED =
  /^#(?:core|workers|connectors(?!\/registry\/(?:storage-)?descriptors|.*\/(?:ui|descriptor)[.]tsx?$))\//;
const FETCHING = "/@remix-run/react/dist/esm/single-fetch.js";
const LOGS = "console.error(e);\n    throw new Error(`Unable to decode";

/**
 * Remix logs an error when it cannot decode a response, and also when a newer navigation aborts the request. React
 * Router 7, its successor, does not log aborts. This plugin skips the log for aborted requests only.
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
    isSsrBuild ? null : wordLists,
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
    // Bundle dependencies, so that only the icons in use are loaded. Packages that the Worker also uses stay external,
    // so that both share one copy.
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
  // Ship only one form of zod: conform imports the full package for four functions that zod/mini also has.
  resolve: {
    alias: [{ find: /^zod\/v4$/, replacement: "zod/mini" }],
    mainFields: ["browser", "module", "main"],
  },
  build: {
    minify: true,
    target: "es2022",
    // Core and connectors are bundled once, with the Worker. With their own copies, the screens would not recognise
    // errors thrown by the Worker's copies.
    rollupOptions: isSsrBuild
      ? { external: SHARED, output: { hoistTransitiveImports: false } }
      : { output: { manualChunks: screensChunks(), onlyExplicitManualChunks: true } },
  },
}));
