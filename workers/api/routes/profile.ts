import type { Context } from "hono";
import { z } from "zod";
import { updateNames } from "#core/accounts/index.ts";
import { personNameSchema } from "#core/accounts/password.schema.ts";
import { recordAction, sessionOccasion } from "#core/audit/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { startAccount } from "#core/payments/index.ts";
import { addPhoto, getStartInfo, openPhoto } from "#core/profiles/index.ts";
import { findStorageSummary } from "#core/replicas/index.ts";
import type { ApiEnv } from "../api-env.ts";
import { type Api, type MountedRoute, route } from "../mount-route.ts";
import { companyAnswer } from "../payment-answers.ts";
import { companyRow } from "./payments/company-row.ts";

const tag = "Profile";

/** Photos up to twice the allowed size still get the message about their size. */
const PHOTO_BODY_BYTES = 3_000_000;

const ROUTES: readonly MountedRoute[] = [
  route({
    method: "GET",
    path: "/user/get-user-start-info",
    summary: "Who is signed in",
    tag,
    input: z.strictObject({}),
    result: z.object({
      sub: z.string(),
      email: z.string(),
      name: z.string(),
      family_name: z.string(),
      picture: z.string().nullable(),
      created_at: z.string(),
      auto_confirm: z.boolean(),
      is_test: z.boolean(),
      isHasProPlan: z.boolean(),
      hadEverAnySubscriptions: z.boolean(),
      paymentHistory: z.array(z.unknown()).describe("What was bought of each platform; the owner's alone"),
      company: companyAnswer,
      connectedExtStorage: z.string().nullable(),
      organization_name: z.string().nullable(),
      account_type: z.enum(["User", "Organization"]),
      isSubUser: z.boolean(),
      roles: z.array(z.string()),
      roleByApp: z.record(z.string(), z.enum(["admin", "user"])),
      isSubscribedToMail: z.boolean(),
      two_factor_enabled: z.boolean(),
    }),
    refuses: ["err.not.found"],
    handle: async (s, m) => {
      const [info, storage, account] = await Promise.all([
        getStartInfo(s, m),
        findStorageSummary(s, m.organisationId),
        startAccount(s, m),
      ]);
      return {
        result: {
          sub: info.userId,
          email: info.email,
          name: info.name,
          family_name: info.familyName,
          picture: info.picture,
          created_at: info.createdAt,
          auto_confirm: info.isAutoConfirmed,
          is_test: info.isTest,
          isHasProPlan: info.isHasProPlan,
          hadEverAnySubscriptions: info.hadEverAnySubscriptions,
          paymentHistory: account.history,
          company: account.company && companyRow(account.company),
          connectedExtStorage: storage?.kind ?? null,
          organization_name: info.organisationName,
          account_type: info.accountType,
          isSubUser: info.isSubUser,
          roles: info.roles,
          roleByApp: info.roleByApp,
          isSubscribedToMail: info.isSubscribedToMail,
          two_factor_enabled: info.isTwoFactorEnabled,
        },
      };
    },
  }),
  route({
    method: "POST",
    path: "/user/update",
    summary: "Change one's names",
    tag,
    input: z.strictObject({ name: personNameSchema, familyName: personNameSchema }),
    fields: { familyName: "family_name" },
    result: z.object({ name: z.string(), family_name: z.string() }),
    handle: async (s, m, input) => {
      await updateNames(s, m, input);
      return { result: { name: input.name, family_name: input.familyName } };
    },
  }),
  route({
    method: "POST",
    path: "/user/add-profile-image",
    summary: "Change one's photo",
    tag,
    input: z.strictObject({ dataUrl: z.string().min(1) }),
    fields: { dataUrl: "avatar" },
    maxBodyBytes: PHOTO_BODY_BYTES,
    result: z.object({ url: z.string() }),
    refuses: ["err.photo.format", "err.photo.size", "err.not.found"],
    handle: async (s, m, input) => ({ result: await addPhoto(s, m, input) }),
  }),
  route({
    method: "POST",
    path: "/user/user-action",
    summary: "Note a login or logout in the audit trail",
    tag,
    input: z.strictObject({ action: z.enum(["login", "logout"]) }),
    result: z.null(),
    handle: async (s, m, { action }, c) => {
      const { organisationId, userId, name: userName } = m;
      const occasion = sessionOccasion(action, c.var.sessionId ?? userId);
      await recordAction(s, { organisationId, userId, userName, action, occasion });
      return { result: null };
    },
  }),
];

/** Calls for the signed-in user (spec part 1 section 7). */
export function mountProfile(api: Api): void {
  for (const mount of ROUTES) mount(api);
}

/**
 * GET /avatars/{id} — a photo, for members of its organisation. Browsers only show it as the image type it was stored
 * as, whatever its bytes are.
 */
export async function openAvatar(c: Context<ApiEnv, "/avatars/:id">): Promise<Response> {
  const { services, member } = c.var;
  if (!member) throw new AppError("err.session.missing");
  const photo = await openPhoto(services, member, c.req.param("id"));
  return new Response(photo.body, {
    headers: {
      "Content-Type": photo.type,
      "Content-Length": String(photo.size),
      "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
      "X-Content-Type-Options": "nosniff",
      // A new photo has a new URL, but access to it can change.
      "Cache-Control": "private, max-age=600",
      Vary: "Authorization, Cookie",
    },
  });
}
