import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { page } from "../lists.ts";
import { bool, clearable, id, listParams, metadata, params, strings, text } from "../params.ts";
import type { StripeWorld } from "../state.ts";
import { all, find, get, newId, nowFor, nowOf, put } from "../store.ts";
import type { PortalConfiguration } from "../things/account.ts";
import { living, merged } from "./customers.ts";

const on = z.strictObject({ enabled: bool });
const proration = z.enum(["none", "always_invoice", "create_prorations"]);
const features = z.strictObject({
  customer_update: z
    .strictObject({ enabled: bool, allowed_updates: clearable(strings).optional() })
    .optional(),
  invoice_history: on.optional(),
  payment_method_update: on.optional(),
  subscription_cancel: z
    .strictObject({
      enabled: bool,
      mode: z.enum(["immediately", "at_period_end"]).optional(),
      proration_behavior: proration.optional(),
    })
    .optional(),
  subscription_pause: on.optional(),
  subscription_update: z
    .strictObject({
      enabled: bool,
      default_allowed_updates: clearable(strings).optional(),
      products: clearable(z.array(z.strictObject({ product: id, prices: strings }))).optional(),
      proration_behavior: proration.optional(),
    })
    .optional(),
});
const fields = {
  business_profile: z
    .strictObject({
      headline: text.optional(),
      privacy_policy_url: text.optional(),
      terms_of_service_url: text.optional(),
    })
    .optional(),
  default_return_url: text.optional(),
  login_page: on.optional(),
  metadata: metadata.optional(),
  name: text.optional(),
};

const OFF: PortalConfiguration["features"] = {
  customer_update: { enabled: false, allowed_updates: [] },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    enabled: false,
    mode: "at_period_end",
    proration_behavior: "none",
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
  },
  subscription_pause: { enabled: false, duration: { interval_options: [], type: "indefinite" } },
  subscription_update: {
    enabled: false,
    billing_cycle_anchor: null,
    default_allowed_updates: [],
    products: [],
    proration_behavior: "none",
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: "end_trial",
  },
};

export const portalRoutes = [
  endpoint(
    "POST /v1/billing_portal/configurations",
    params({ ...fields, features }),
    ({ world, params: { features: wanted, ...given } }) => {
      const at = nowOf(world);
      const configuration = put(world, "billing_portal.configuration", {
        id: newId("bpc"),
        object: "billing_portal.configuration",
        active: true,
        created: at,
        default_return_url: null,
        features: structuredClone(OFF),
        is_default: all(world, "billing_portal.configuration").length === 0,
        livemode: false,
        metadata: {},
        name: null,
        updated: at,
        ...{ application: null, login_page: { enabled: false, url: null } },
        ...{ business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null } },
      });
      edit(world, configuration, { ...given, features: wanted });
      return configuration;
    },
  ),
  endpoint("GET /v1/billing_portal/configurations/{id}", params({}), ({ world, id }) =>
    get(world, "billing_portal.configuration", id),
  ),
  endpoint(
    "POST /v1/billing_portal/configurations/{id}",
    params({ ...fields, active: bool.optional(), features: features.optional() }),
    ({ world, id, params }) => {
      const configuration = get(world, "billing_portal.configuration", id);
      configuration.active = params.active ?? configuration.active;
      edit(world, configuration, params);
      return configuration;
    },
  ),
  endpoint(
    "GET /v1/billing_portal/configurations",
    listParams({ active: bool.optional(), is_default: bool.optional() }),
    (call) => {
      const { active, is_default } = call.params;
      const found = all(call.world, "billing_portal.configuration").filter(
        (each) =>
          (active ?? each.active) === each.active && (is_default ?? each.is_default) === each.is_default,
      );
      return page(found, call.params, call.url);
    },
  ),
  endpoint(
    "POST /v1/billing_portal/sessions",
    params({
      customer: id,
      configuration: id.optional(),
      locale: z.string().optional(),
      return_url: text.optional(),
      flow_data: z.strictObject({ type: z.enum(["payment_method_update"]) }).optional(),
    }),
    ({ world, params }) => {
      const configuration =
        params.configuration === undefined
          ? all(world, "billing_portal.configuration").find(({ is_default }) => is_default)
          : find(world, "billing_portal.configuration", params.configuration);
      if (!configuration?.active) {
        throw refused(
          "You can't create a portal session in test mode until you save your customer portal settings in test mode, or pass an active configuration.",
          { param: "configuration" },
        );
      }
      const customer = living(world, params.customer);
      const id = newId("bps");
      return put(world, "billing_portal.session", {
        id,
        object: "billing_portal.session",
        configuration: configuration.id,
        created: nowFor(world, customer.id),
        customer: customer.id,
        livemode: false,
        return_url: params.return_url ?? configuration.default_return_url,
        url: `${world.url}/p/session/${id}`,
        ...{ customer_account: null, flow: null, locale: params.locale ?? null, on_behalf_of: null },
      });
    },
  ),
];

type Edit = Partial<z.output<z.ZodObject<typeof fields>>> & {
  features?: z.output<typeof features> | undefined;
};

function edit(world: StripeWorld, configuration: PortalConfiguration, given: Edit): void {
  for (const [name, value] of Object.entries(given.features ?? {})) {
    const feature = configuration.features[name];
    if (feature && value)
      Object.assign(
        feature,
        Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inner ?? []])),
      );
  }
  if (given.business_profile) {
    const known = configuration as unknown as { business_profile: object };
    known.business_profile = { ...known.business_profile, ...given.business_profile };
  }
  if (given.default_return_url !== undefined) configuration.default_return_url = given.default_return_url;
  if (given.name !== undefined) configuration.name = given.name;
  configuration.metadata = merged(configuration.metadata, given.metadata);
  configuration.updated = nowOf(world);
}
