import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildScreens } from "#workers/commands/screens-build.ts";
import { ROOT } from "#workers/commands/tools.ts";
import { buildBare } from "../bare-page.ts";
import { type Bench, check, finding, size } from "../bench.ts";

/**
 * P11: the gzipped bytes that a browser loads before a page works, against a bare page of the same framework from the
 * same run; and our styles against the component library's whole style sheet, through the same minifier.
 */
export const firstLoad: Bench = {
  id: "P11",
  run: async ({ folder, say }) => {
    await buildScreens();
    await buildBare(folder);
    const ours = readManifest(join(ROOT, "build/client"));
    const bare = readManifest(join(folder, "build/client"));
    const floor = scriptBytes(bare, ["root", "routes/_index"]);
    const sheet = styleBytes(bare, ["routes/radix"]);
    check(floor > 50_000 && sheet > 20_000, "the bare page has its scripts and the library its sheet");
    const pages = [
      { name: "sign-in", route: "routes/_auth.auth.login", atMost: 1.25 },
      { name: "list", route: "routes/_app.platform.dashboard.$platform", atMost: 1.6 },
    ];
    const scripts = pages.map(({ name, route, atMost }) => {
      const bytes = scriptBytes(ours, branchOf(ours, route));
      say(`${name}: ${size(bytes)} of scripts against ${size(floor)}`);
      return finding(
        {
          id: "P11",
          what: `scripts of the ${name} page's first load / a bare page of the same framework`,
          note: `gzipped: ${size(bytes)} against ${size(floor)}`,
        },
        only(bytes / floor),
        { atMost },
      );
    });
    const styles = styleBytes(ours, branchOf(ours, pages[1]!.route));
    const note = `gzipped and minified alike: ${size(styles)} against ${size(sheet)}`;
    const what = "all styles of the list page / the component library's whole sheet";
    return [...scripts, finding({ id: "P11", what, note }, only(styles / sheet), { atMost: 0.45 })];
  },
};

const only = (ratio: number) => ({ median: ratio, least: ratio, most: ratio });

type Chunk = { module: string; imports?: string[]; css?: string[] };
type Manifest = {
  folder: string;
  entry: Chunk;
  routes: Record<string, Chunk & { parentId?: string }>;
};

function readManifest(folder: string): Manifest {
  const file = readdirSync(join(folder, "assets")).find((name) => /^manifest-.*\.js$/.test(name));
  check(file !== undefined, "the build has a manifest");
  const text = readFileSync(join(folder, "assets", file), "utf8");
  const json = text.slice(text.indexOf("=") + 1).replace(/;\s*$/, "");
  return { folder, ...(JSON.parse(json) as Omit<Manifest, "folder">) };
}

/** A route with its layouts. */
function branchOf(manifest: Manifest, route: string): string[] {
  const found = manifest.routes[route];
  check(found !== undefined, `there is a route ${route}`);
  return [route, ...(found.parentId ? branchOf(manifest, found.parentId) : [])];
}

function scriptBytes(manifest: Manifest, routes: string[]): number {
  const chunks = [manifest.entry, ...routes.map((route) => manifest.routes[route]!)];
  return bytesOf(
    manifest,
    chunks.flatMap(({ module, imports = [] }) => [module, ...imports]),
  );
}

function styleBytes(manifest: Manifest, routes: string[]): number {
  return bytesOf(
    manifest,
    routes.flatMap((route) => manifest.routes[route]!.css ?? []),
  );
}

function bytesOf({ folder }: Manifest, files: string[]): number {
  const each = [...new Set(files)].map(
    (file) => gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
  );
  return each.reduce((sum, bytes) => sum + bytes, 0);
}
