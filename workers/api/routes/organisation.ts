import { z } from "zod";
import { emailSchema } from "#core/accounts/password.schema.ts";
import { listActions } from "#core/audit/index.ts";
import { companySchema } from "#core/billing/company.schema.ts";
import { listTrialStatuses } from "#core/billing/index.ts";
import { listAllConnections, listStorageRegions } from "#core/connections/index.ts";
import { countProtectedItems } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import {
  canUse,
  inviteMember,
  listInvitees,
  removeInvitee,
  requireOwner,
  setAccountType,
  setOrganisationName,
  updateInvitee,
} from "#core/organisations/index.ts";
import { organisationNameSchema } from "#core/organisations/organisation-name.schema.ts";
import { findStorageSummary } from "#core/replicas/index.ts";
import { type Api, mountRoute } from "../mount-route.ts";
import { pageField, wireText } from "../wire-fields.ts";

const tag = "Organisation";

/** Rights as strings; core validates them. */
const rolesField = z.array(wireText(100)).max(50);
const targetField = wireText(100).min(1);
/** Error codes of calls that only the owner may make. */
const OWNER = ["err.role.forbidden"] as const;
/** Error codes for rights that cannot be granted. */
const RIGHTS_REFUSED = [
  "err.role.unknown",
  "err.role.plan",
  "err.connection.missing",
  "err.connection.unauthorized",
] as const;
/** Default number of audit rows per page (spec part 3 section 9). */
const AUDIT_ROWS = 50;

/** Calls for the organisation: its name, members, audit trail and trials (spec parts 1 and 3, section 7). */
export function mountOrganisation(api: Api): void {
  mountPeople(api);
  mountRoute(api, {
    method: "POST",
    path: "/user/organization/name",
    summary: "Name the organisation",
    tag,
    input: z.strictObject({ name: organisationNameSchema }),
    fields: { name: "organization_name" },
    result: z.object({ organization_name: z.string() }),
    refuses: OWNER,
    handle: async (s, m, input) => {
      await setOrganisationName(s, m, input);
      return { result: { organization_name: input.name } };
    },
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/account-type",
    summary: "Say whether the account is a person's or an organisation's",
    tag,
    input: z.strictObject({ accountType: z.enum(["User", "Organization"]) }),
    fields: { accountType: "account_type" },
    result: z.object({ account_type: z.enum(["User", "Organization"]) }),
    refuses: OWNER,
    handle: async (s, m, input) => {
      await setAccountType(s, m, input);
      return { result: { account_type: input.accountType } };
    },
  });
  mountRoute(api, {
    method: "GET",
    path: "/user/actions-history",
    summary: "The audit trail",
    tag,
    input: z.strictObject({
      page: pageField,
      perPage: z
        .string()
        .regex(/^[1-9][0-9]?$|^100$/)
        .transform(Number)
        .default(AUDIT_ROWS),
      after: wireText(100).optional(),
    }),
    result: z.object({
      actions: z.array(
        z.object({
          id: z.string(),
          type: z.string(),
          platform: z.string().nullable(),
          subject: z.string().nullable(),
          date: z.int(),
          name: z.string(),
          isProPlanAction: z.boolean(),
        }),
      ),
      totalItemsNumber: z.int().min(0),
      next: z.string().nullable(),
    }),
    handle: async (s, m, input) => {
      const { actions, total, next } = await listActions(s, m, input);
      return { result: { actions, totalItemsNumber: total, next } };
    },
  });
  mountMoney(api);
}

function mountPeople(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/user/organization-users",
    summary: "Invited people and the invitations left",
    tag,
    input: z.strictObject({}),
    result: z.object({
      organization_users: z.array(
        z.object({
          sub: z.string(),
          email: z.string(),
          name: z.string().optional(),
          family_name: z.string().nullable().optional(),
          roles: z.array(z.string()),
        }),
      ),
      invitations_left: z.int().min(0),
    }),
    refuses: OWNER,
    handle: async (s, m) => {
      const { invitees, invitationsLeft } = await listInvitees(s, m);
      const users = invitees.map(({ sub, email, name, familyName, roles }) => ({
        sub,
        email,
        // Members without a completed set-up have no name; screens rely on that.
        ...(name === null ? {} : { name, family_name: familyName }),
        roles,
      }));
      return { result: { organization_users: users, invitations_left: invitationsLeft } };
    },
  });
  mountRoute(api, {
    method: "POST",
    path: "/user/organization-user",
    summary: "Invite somebody",
    tag,
    input: z.strictObject({ email: emailSchema, roles: rolesField }),
    result: z.object({ sub: z.string() }),
    refuses: [
      ...OWNER,
      ...RIGHTS_REFUSED,
      "err.invitation.exists",
      "err.invitation.limit",
      "err.organisation.nameless",
      "err.attempts.limit",
    ],
    handle: async (s, m, input) => ({ result: { sub: (await inviteMember(s, m, input)).id } }),
  });
  mountRoute(api, {
    method: "PUT",
    path: "/user/organization-user",
    summary: "Change somebody's rights",
    tag,
    input: z.strictObject({ targetId: targetField, roles: rolesField }),
    fields: { targetId: "targetUserSub" },
    result: z.null(),
    refuses: [...OWNER, ...RIGHTS_REFUSED, "err.not.found"],
    handle: async (s, m, input) => {
      await updateInvitee(s, m, input);
      return { result: null };
    },
  });
  mountRoute(api, {
    method: "DELETE",
    path: "/user/organization-user",
    summary: "Remove somebody",
    tag,
    input: z.strictObject({ targetId: targetField }),
    fields: { targetId: "targetUserSub" },
    result: z.null(),
    refuses: [...OWNER, "err.not.found"],
    handle: async (s, m, input) => {
      await removeInvitee(s, m, input);
      return { result: null };
    },
  });
}

function mountMoney(api: Api): void {
  mountRoute(api, {
    method: "GET",
    path: "/payments/get-platforms-trial-statuses",
    summary: "Trial and subscription of every platform",
    tag,
    input: z.strictObject({}),
    result: z.record(
      z.string(),
      z.object({
        trialStatus: z.enum(["not started", "active", "expired"]),
        trialHoursLeft: z.int().min(0),
        planQuantity: z.int().min(0),
        addedItemsQuantity: z.int().min(0),
        availableItemsQuantity: z.int().min(0),
        subscription_type: z.enum(["pro_plan", "essential"]).nullable(),
        subscription_status: z.enum(["active", "inactive"]).nullable(),
        s3_region: z.string().optional(),
        cloud_storages: z.array(z.string()),
        isConnectionActive: z.boolean(),
      }),
    ),
    handle: async (s, m) => {
      const platforms = [...s.connectors.keys()].filter((platform) => canUse(m, platform));
      const statuses = await listTrialStatuses(s, m.organisationId, platforms);
      const counts = await countProtectedItems(s, m, await listAllConnections(s, m));
      const storage = await findStorageSummary(s, m.organisationId);
      const regions = await listStorageRegions(s, m);
      const wire = [...statuses].map(([platform, status]) => {
        const { trialStatus, trialHoursLeft, planQuantity } = status;
        const addedItemsQuantity = counts.get(platform) ?? 0;
        const availableItemsQuantity = Math.max(0, planQuantity - addedItemsQuantity);
        const quantities = { planQuantity, addedItemsQuantity, availableItemsQuantity };
        const subscription = {
          subscription_type: status.subscriptionType,
          subscription_status: status.subscriptionStatus,
        };
        const isCopied = storage?.platforms.includes(platform) ?? false;
        const place = {
          s3_region: regions.get(platform),
          cloud_storages: isCopied && storage ? [storage.kind] : [],
          isConnectionActive: isCopied && storage?.isActive === true,
        };
        return [platform, { trialStatus, trialHoursLeft, ...quantities, ...subscription, ...place }];
      });
      return { result: Object.fromEntries(wire) };
    },
  });
  mountRoute(api, {
    method: "PUT",
    path: "/payments/stripe-update-company",
    summary: "Change the billing address",
    tag,
    input: companySchema,
    result: z.null(),
    refuses: [...OWNER, "err.payment.method.missing"],
    handle: async (_s, m) => {
      requireOwner(m);
      // There is no checkout yet, so no payment method can exist. The URL would be the payment provider's.
      throw new AppError("err.payment.method.missing");
    },
  });
}
