import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import {
  type OpenVersion,
  openForReading,
  type RestorableParts,
  restorableParts,
} from "#core/browsing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canUse, mayManage } from "#core/organisations/index.ts";
import { readerOf, type VersionRef } from "./address.ts";

/** The data of a frame: its page of the version, and what every frame needs. */
export type Inside<Page> = VersionRef & {
  /** Null = the version does not have it, or it cannot be read. */
  page: Page | null;
  /** Why the page cannot be shown. */
  problem: string | null;
  /** What of the page can be restored by itself, by path. */
  parts: RestorableParts;
  timeZone: string;
  now: number;
};

/**
 * Reads one page of the version in the URL. Returns null for members who may not read versions; the surrounding page
 * explains why. `partsOf` returns the paths of the page's entries that its frame offers to restore.
 *
 * @throws a redirect when the URL has no version, or the member may not use the platform
 */
export async function readInside<Page>(
  { context, request, params }: Pick<LoaderFunctionArgs, "context" | "request" | "params">,
  read: (open: OpenVersion, query: URLSearchParams) => Promise<Page>,
  partsOf: (page: Page) => readonly (string | null | undefined)[] = () => [],
): Promise<Inside<Page> | null> {
  const member = requireMember(context, request);
  const { services } = context;
  const version = versionOf(request, params.platform ?? "");
  if (!canUse(member, version.platform)) throw redirect("/");
  return await orFailure(context, async () => {
    if (!(await mayManage(services, member, version.platform))) return null;
    const shared = { ...version, timeZone: member.timeZone, now: services.clock.now() };
    const nothing = { ...shared, page: null, problem: null, parts: {} };
    try {
      const open = await openForReading(services, member, version);
      if (open.item.platform !== version.platform) return nothing;
      const page = await read(open, new URL(request.url).searchParams);
      const paths = partsOf(page).flatMap((path) => path ?? []);
      return { ...nothing, page, parts: await restorableParts(open, paths) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === "err.version.unreadable") return { ...nothing, problem: error.message };
      if (error.code === "err.not.found") return nothing;
      throw error;
    }
  });
}

/** Returns the version in the URL. @throws a redirect to the list of items if it is missing */
export function versionOf(request: Request, platform: string): VersionRef {
  const text = readerOf(new URL(request.url).searchParams);
  const [itemId, snapshotId] = [text("id"), text("version")];
  if (itemId === null || snapshotId === null) throw redirect(`/platform/dashboard/${platform}`);
  return { platform, itemId, snapshotId };
}
