import { expect, test } from "vitest";
import { chunksOf } from "./screens-chunks.ts";

const page = (name: string) => `/app/routes/${name}/route.tsx?__remix-build-client-route`;
const LIST = page("_app.platform.dashboard.$platform");
const SIGN_IN = page("_auth.auth.login");
const HOME = page("_app._index");
const SIGN_UP = page("_auth.auth.sign-up");

/** Names the chunk of each module of a build in which modules import as given. */
function chunksIn(imports: Record<string, string[]>): Record<string, string | null> {
  const ids = [...new Set([...Object.keys(imports), ...Object.values(imports).flat()])];
  const chunkOf = chunksOf({ ids, importsOf: (id) => imports[id] ?? [] });
  return Object.fromEntries(ids.map((id) => [id, chunkOf(id)]));
}

test("what both the list and the sign-in page load is one chunk, whoever else loads it", () => {
  const chunks = chunksIn({
    "/app/entry.client.tsx": ["/router.js"],
    "/app/root.tsx?__remix-build-client-route": ["/app/root.tsx"],
    [LIST]: ["/button.tsx"],
    [SIGN_IN]: ["/button.tsx"],
    [HOME]: ["/button.tsx", "/app/root.tsx"],
  });
  expect(chunks).toMatchObject({ "/router.js": "base", "/app/root.tsx": "base", "/button.tsx": "base" });
});

test("what the list or the sign-in page shares with others is one chunk for each of the two", () => {
  const chunks = chunksIn({
    [page("_app")]: ["/sidebar.tsx"],
    [page("_auth")]: ["/ribbon.tsx"],
    [LIST]: ["/table.tsx"],
    [HOME]: ["/table.tsx"],
    [SIGN_IN]: ["/password.tsx"],
    [SIGN_UP]: ["/password.tsx"],
  });
  expect(chunks).toMatchObject({ "/sidebar.tsx": "signed-in", "/table.tsx": "signed-in" });
  expect(chunks).toMatchObject({ "/ribbon.tsx": "sign-in", "/password.tsx": "sign-in" });
});

test("neither page loads what it does not need", () => {
  const chunks = chunksIn({
    [LIST]: ["/rows.tsx"],
    [SIGN_IN]: ["/form.tsx"],
    [HOME]: ["/tiles.tsx", "/figures.ts"],
    [SIGN_UP]: ["/figures.ts"],
  });
  const own = [LIST, SIGN_IN, "/rows.tsx", "/form.tsx", "/tiles.tsx", "/figures.ts"];
  expect(own.map((id) => chunks[id])).toEqual(own.map(() => null));
});

test("React takes what it imports along, so that no two chunks need each other", () => {
  const chunks = chunksIn({
    "/app/entry.client.tsx": ["/node_modules/react-dom/client.js", "/helpers.js"],
    "/node_modules/react-dom/client.js": ["/node_modules/scheduler/index.js", "/helpers.js"],
  });
  expect(chunks).toMatchObject({
    "/node_modules/react-dom/client.js": "react",
    "/node_modules/scheduler/index.js": "react",
    "/helpers.js": "react",
    "/app/entry.client.tsx": "base",
  });
});
