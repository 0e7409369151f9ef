import type { EntryContext } from "@remix-run/cloudflare";
import { RemixServer } from "@remix-run/react";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { ServerData } from "#app/api/server-data.tsx";
import type { ItemListPage } from "#app/routes/_app.platform.dashboard.$platform/queries.server.ts";
import type { ShellPlatform } from "#app/shell/shell-view.ts";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";

/** Renders a screen with the data of the signed-in frame, as the server does. `path` is the screen's route. */
export function renderInFrame(
  screen: ReactElement,
  {
    pathname,
    search = "",
    path = pathname.startsWith("/platform/dashboard/") ? "platform/dashboard/:platform" : "*",
  }: { pathname: string; search?: string; path?: string },
  now: number,
  platforms: readonly ShellPlatform[] = [],
  isOwner = true,
): string {
  const member = { userId: "usr_1", name: "Nora", email: "n@x.de", timeZone: "Europe/Berlin", isOwner };
  const route = (id: string, parentId?: string, path?: string) => ({
    ...{ id, parentId, path, hasLoader: true, module: "" },
  });
  const context = {
    manifest: {
      routes: {
        "routes/_app": route("routes/_app"),
        page: route("page", "routes/_app", path),
      },
      entry: { imports: [], module: "" },
      url: "",
      version: "",
    },
    routeModules: {
      "routes/_app": { default: undefined },
      page: { default: () => <ServerData>{screen}</ServerData> },
    },
    staticHandlerContext: {
      basename: "/",
      location: { pathname, search, hash: "", state: null, key: "default" },
      matches: ["routes/_app", "page"].map((id) => ({
        route: { id },
        params: {},
        pathname,
        pathnameBase: pathname,
      })),
      loaderData: { "routes/_app": { member, platforms, now, isCollapsed: false }, page: null },
      actionData: null,
      errors: null,
      statusCode: 200,
      loaderHeaders: {},
      actionHeaders: {},
      activeDeferreds: null,
    },
    future: { v3_singleFetch: true, v3_relativeSplatPath: true },
    isSpaMode: false,
    serializeError: (error: Error) => error,
    renderMeta: {},
  } as unknown as EntryContext;
  return renderToString(<RemixServer context={context} url={`https://x${pathname}${search}`} />);
}

/** Data of the item list of a platform's first kind, with one connected account in its trial. */
export function listPageOf(
  { id, label, itemKinds: [kind] }: PlatformDescriptor,
  change: Partial<ItemListPage["list"]> & Pick<ItemListPage["list"], "items">,
  now: number,
): ItemListPage {
  if (!kind) throw new Error("the platform has no kind");
  const place = {
    id: "plc_1",
    connectionId: "con_1",
    externalId: "1",
    name: "acme",
    type: "Organization",
    isOwn: true,
    facts: {},
  };
  const total = change.items.length;
  return {
    platform: id,
    label,
    connection: {
      id: "con_1",
      platform: id,
      externalId: "1",
      name: "nora",
      fullName: null,
      accountType: "User",
      region: "DE",
      status: "active",
      lostReason: null,
      isAutoAdd: false,
      isConfirmed: true,
      grantName: "nora-lindqvist",
      createdAt: now,
      credentials: [],
    },
    accounts: [{ id: "con_1", name: "nora", needsCare: false, person: null }],
    places: [place],
    query: {
      connectionId: null,
      kind: kind.id,
      placeId: place.id,
      page: 0,
      name: "",
      filter: "all",
      sort: "name",
      after: null,
      before: null,
    },
    list: {
      total,
      counts: { all: total, failed: 0, alarm: 0, stale: 0, never: 0, paused: 0, deleted: 0 },
      holdings: [{ kind: kind.id, placeId: place.id, count: total }],
      canUserBackup: true,
      isTokenValid: true,
      hasUserAnyActiveApp: true,
      quota: { used: total, limit: 10 },
      backupNowOpensAt: null,
      keys: null,
      ...change,
    },
    entitlements: {
      plan: "trial",
      isActive: true,
      endsAt: now + 86_400_000,
      quantity: 10,
      itemLimit: 10,
      retentionDays: 30,
      periodMs: 86_400_000,
      hasProFeatures: true,
    },
    canManage: true,
    installUrl: null,
    firstWords: null,
    notice: null,
    reminderClosedAt: null,
    now,
  };
}
