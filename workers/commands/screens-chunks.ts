import { dirname, join } from "node:path";
import type { Rollup } from "vite";

/** The build's modules and what each imports statically. */
export type Graph = { ids: readonly string[]; importsOf: (id: string) => readonly string[] };

/** What Rollup tells `manualChunks` about its build. */
type Meta = Parameters<Rollup.GetManualChunk>[1];

/** The two pages that visits begin with, each with its layout. */
const LIST = ["_app", "_app.platform.dashboard.$platform"];
const SIGN_IN = ["_auth", "_auth.auth.login"];

const REACT = /\/node_modules\/(?:react|react-dom|scheduler)\//;
const EVERYWHERE = /\/app\/(?:entry[.]client[.]tsx$|root[.]tsx[?]__remix-build-client-route$)/;
/** Every page asks for these at once when it is alive. Apart they would be files of a few hundred bytes. */
const FAILURES = /\/app\/session\/(?:failure-guard[.]tsx|failure-rule[.]ts|popup[.]tsx)$/;
const ENTRY = /[?]__remix-build-client-route$/;
const ROUTE = /\/app\/routes\/(.+?)(?:\/route)?[.]tsx[?]__remix-build-client-route$/;
const ICONS = /\/lucide-react\/dist\/esm\/lucide-react[.]mjs$/;

/**
 * Names the chunk of each module. Null leaves it to Rollup, which keeps what one page alone loads with that page.
 *
 * What both the list and the sign-in page load is one chunk, and what either shares with further pages is one more. So
 * both load few files, and nothing that they do not need; other pages find most of theirs loaded. React has a chunk of
 * its own, because it changes least.
 */
export function chunksOf({ ids, importsOf }: Graph): (id: string) => string | null {
  const reach = (...entries: string[]) => {
    const reached = new Set(entries);
    for (const id of reached) for (const next of importsOf(id)) reached.add(next);
    return reached;
  };
  const react = reach(...ids.filter((id) => REACT.test(id)));
  const everywhere = reach(...ids.filter((id) => EVERYWHERE.test(id)));
  const routes = new Map<string, Set<string>>();
  for (const id of ids) {
    const name = ROUTE.exec(id)?.[1];
    if (name !== undefined) routes.set(name, reach(id));
  }
  const usersOf = (id: string) => [...routes].filter(([, reached]) => reached.has(id)).map(([name]) => name);
  return (id) => {
    if (react.has(id)) return "react";
    if (FAILURES.test(id)) return "failures";
    if (ENTRY.test(id)) return null;
    const users = usersOf(id);
    const [inList, inSignIn] = [LIST, SIGN_IN].map((page) => page.some((name) => users.includes(name)));
    if (everywhere.has(id) || (inList && inSignIn)) return "base";
    if (users.length < 2 && !users.includes("_app") && !users.includes("_auth")) return null;
    if (inList) return "signed-in";
    return inSignIn ? "sign-in" : null;
  };
}

/** `chunksOf` for Rollup's `manualChunks`. Takes a graph once, because Rollup asks for each of its modules. */
export function screensChunks(): Rollup.GetManualChunk {
  let asked: { meta: Meta; chunkOf: (id: string) => string | null } | undefined;
  return (id, meta) => {
    if (asked?.meta !== meta) asked = { meta, chunkOf: chunksOf(graphOf(meta)) };
    return asked.chunkOf(id);
  };
}

function graphOf({ getModuleIds, getModuleInfo }: Meta): Graph {
  const ids = [...getModuleIds()];
  const index = ids.find((id) => ICONS.test(id));
  const icons = index === undefined ? new Map<string, string>() : iconFiles(index, getModuleInfo(index));
  const importsOf = (id: string) => {
    const info = getModuleInfo(id);
    // The index of icons imports all of them, and a page loads those that it names.
    if (info === null || id === index) return [];
    if (index === undefined || !info.importedIds.includes(index)) return info.importedIds;
    return [...info.importedIds, ...namesFromIcons(info).map((name) => icons.get(name) ?? index)];
  };
  return { ids, importsOf };
}

/** The icons' files by the names under which the index exports them. */
function iconFiles(index: string, info: Rollup.ModuleInfo | null): Map<string, string> {
  const exported = (info?.ast?.body ?? []).flatMap((node) => {
    if (node.type !== "ExportNamedDeclaration" || !node.source) return [];
    const file = join(dirname(index), String(node.source.value));
    return node.specifiers.map(({ exported: name }) => [nameOf(name), file] as const);
  });
  return new Map(exported);
}

function namesFromIcons(info: Rollup.ModuleInfo): string[] {
  return (info.ast?.body ?? []).flatMap((node) =>
    node.type === "ImportDeclaration" && node.source.value === "lucide-react"
      ? node.specifiers.flatMap((each) => (each.type === "ImportSpecifier" ? [nameOf(each.imported)] : []))
      : [],
  );
}

function nameOf(name: { type: string; name?: string; value?: unknown }): string {
  return name.name ?? String(name.value);
}
