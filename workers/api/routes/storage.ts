import type { Context } from "hono";
import { z } from "zod";
import type { StorageKeyField } from "#connectors/contract/storage-descriptor.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { keysSchemaOf } from "#core/replicas/index.ts";
import type { ApiEnv } from "../api-env.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { noticeQuery } from "../notice-query.ts";
import type { CoreOperations } from "../operations.ts";
import { wireText } from "../wire-fields.ts";
import { storageOverviewRow } from "../wire-rows.ts";

const tag = "External storage";

/** The data that the API needs for a storage that is connected by a form. */
export type ApiStorage = { id: string; label: string; path: string; fields: readonly StorageKeyField[] };

const kind = wireText(50).min(1);
const platform = wireText(50)
  .min(1)
  .nullish()
  .transform((id) => id ?? null);

const RIGHTS = ["err.role.forbidden", "err.plan.required"] as const;
const CONNECTING = [
  ...RIGHTS,
  "err.platform.unknown",
  "err.storage.unknown",
  "err.storage.connected",
  "err.storage.refused",
  "err.platform.limited",
  "err.platform.unavailable",
] as const;

const count = z.int().min(0);
const overviewResult = z.object({
  storages: z
    .array(
      z.object({
        cloudStorageName: z.string(),
        kind: z.string(),
        name: z.string(),
        details: z.record(z.string(), z.string()),
        isActive: z.boolean(),
        trouble: z.object({ kind: z.string(), text: z.string(), since: z.int() }).nullable(),
        connectedAt: z.int(),
        canDisconnect: z.boolean(),
      }),
    )
    .max(1),
  platforms: z.record(
    z.string(),
    z.object({
      isConnectionActive: z.boolean(),
      storage: z.array(z.string()).max(1),
      canChange: z.boolean(),
      regionS3: z.string(),
      isOnPlan: z.boolean(),
      stored: count,
      waiting: count,
      failed: count,
      sizeBytes: count,
      lastStoredAt: z.int().nullable(),
    }),
  ),
  failed: z.array(
    z.object({
      platform: z.string(),
      itemId: z.string(),
      itemName: z.string(),
      snapshotId: z.string(),
      takenAt: z.int(),
      text: z.string(),
      nextTryAt: z.int().nullable(),
    }),
  ),
});

/** The OAuth redirect URI of a storage, as registered there. */
export function storageRedirectUri(publicUrl: string, id: string): string {
  return `${publicUrl}/storage/${id}/callback`;
}

/** The customer's own storage (spec part 2 section 7, "External storage"). */
export function mountStorage(api: Api, core: CoreOperations, storages: readonly ApiStorage[]): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/get-cloud-storages",
    summary: "The connected storage, what is copied there and what does not arrive",
    tag,
    input: z.strictObject({}),
    result: overviewResult,
    refuses: RIGHTS,
    handle: async (s, m) => ({ result: storageOverviewRow(await core.describeStorage(s, m)) }),
  });
  mountRoute(api, {
    method: "GET",
    path: "/user/get-cloud-storage-auth-url",
    summary: "Begin connecting a storage on its own page, whose address is answered",
    tag,
    isStateChanging: true,
    input: z.strictObject({ kind, platform }),
    fields: { kind: "cloudStorageName" },
    result: z.object({ url: z.string() }),
    refuses: CONNECTING,
    handle: async (s, m, input) => ({
      result: await core.beginStorageConsent(s, m, {
        ...input,
        redirectUri: storageRedirectUri(s.settings.PUBLIC_URL, input.kind),
      }),
    }),
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/remove-user-cloud-storage",
    summary: "Disconnect the storage; every file stays there",
    tag,
    input: z.strictObject({ kind }),
    fields: { kind: "cloudStorageName" },
    result: z.null(),
    refuses: ["err.storage.unknown", "err.storage.missing", "err.role.forbidden"],
    handle: async (s, m, input) => {
      await core.disconnectStorage(s, m, input);
      return { result: null };
    },
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/add-platforms-backup-cloud-storages",
    summary: "Choose whose later versions are copied: by platform, the storage; an empty list = no more",
    tag,
    input: z.strictObject({ platforms: z.record(wireText(50).min(1), z.array(kind).max(1)) }),
    fields: { platforms: "platformsWithCloudStorages" },
    result: z.object({ platforms: z.array(z.string()) }),
    refuses: [
      ...RIGHTS,
      "err.platform.unknown",
      "err.storage.missing",
      "err.storage.connected",
      "err.storage.unknown",
    ],
    handle: async (s, m, input) => ({ result: await core.setCopiedPlatforms(s, m, input.platforms) }),
  });
  for (const storage of storages) mountForm(api, core, storage);
}

function mountForm(api: Api, core: CoreOperations, { id, label, path, fields }: ApiStorage): void {
  mountRoute(api, {
    method: "POST",
    path: `/user/${path}`,
    summary: `Connect ${label}, proved by writing a first file`,
    tag,
    input: keysSchemaOf(fields).extend({ platform }),
    result: z.object({ name: z.string() }),
    refuses: CONNECTING,
    handle: async (s, m, { platform: first, ...keys }) => ({
      result: await core.addKeyStorage(s, m, { kind: id, platform: first as string | null, keys }),
    }),
  });
}

/**
 * GET /storage/{kind}/callback?code&state — completes a consent. The storage navigates the browser here, so trust rests
 * on the single-use `state`, which is bound to the user. The next page shows the outcome (spec P-442).
 */
export function storageCallback(core: Pick<CoreOperations, "completeStorageConsent">) {
  return async (c: Context<ApiEnv, "/storage/:kind/callback">): Promise<Response> => {
    c.set("isWrite", true);
    const { services, member } = c.var;
    const id = c.req.param("kind");
    if (!services.storages.has(id)) throw new AppError("err.storage.unknown");
    if (!member) return c.redirect("/auth/login");
    try {
      const { code, state, error } = c.req.query();
      if (error) throw new AppError("err.connection.denied");
      if (!code || !state) throw new AppError("err.connection.state");
      const redirectUri = storageRedirectUri(services.settings.PUBLIC_URL, id);
      const order = { kind: id, state, code, redirectUri };
      const { platform: first } = await core.completeStorageConsent(services, member, order);
      const page = first === null ? "/settings/storage" : `/platform/dashboard/${first}`;
      return c.redirect(`${page}?isCloudStorageConnected=true`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const notice = await noticeQuery(services, member, error);
      return c.redirect(`/settings/storage?${new URLSearchParams(notice)}`);
    }
  };
}
