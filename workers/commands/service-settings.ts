import { platforms } from "#connectors/registry/platforms.generated.ts";
import { setups } from "#connectors/registry/setups.generated.ts";

/** How an outside service is reached: for real, simulated, or configured but incomplete. */
export type ServiceVerdict =
  | { what: string; state: "real" | "simulated" }
  | { what: string; state: "lacking"; lacks: string };

type ServiceNeed = { what: string; prefix: string; needs: readonly (readonly string[])[] };

const clientOf = (prefix: string) => [`${prefix}CLIENT_ID`, `${prefix}CLIENT_SECRET`];

/** The outside services, and the alternative sets of settings that each needs. */
const SERVICES: readonly ServiceNeed[] = [
  ...platforms.flatMap(({ connector: { descriptor } }) => {
    const { id, label } = descriptor;
    const prefix = `${id.replaceAll("-", "_").toUpperCase()}_`;
    const needs = setups[id]?.settings;
    return needs ? [{ what: label, prefix, needs }] : [];
  }),
  { what: "Dropbox", prefix: "DROPBOX_", needs: [clientOf("DROPBOX_")] },
  { what: "Google Drive", prefix: "GOOGLE_DRIVE_", needs: [clientOf("GOOGLE_DRIVE_")] },
  {
    what: "Stripe",
    prefix: "STRIPE_",
    needs: [["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]],
  },
  { what: "Sign-in through Google", prefix: "GOOGLE_", needs: [clientOf("GOOGLE_")] },
  {
    what: "Sign-in through the company",
    prefix: "ENTERPRISE_",
    needs: [["ENTERPRISE_ISSUER", ...clientOf("ENTERPRISE_"), "ENTERPRISE_DOMAIN"]],
  },
  { what: "Sign-in through Okta", prefix: "OKTA_", needs: [["OKTA_ISSUER", ...clientOf("OKTA_")]] },
];

/** Evaluates the variables in `.dev.vars`. A service with any variable set is the real one and must be complete. */
export function judgeServices(vars: Readonly<Record<string, string>>): ServiceVerdict[] {
  return SERVICES.map(({ what, prefix, needs }) => {
    const isNamed = Object.keys(vars).some(
      (name) => name.startsWith(prefix) && ownerOf(name)?.prefix === prefix,
    );
    if (!isNamed) return { what, state: "simulated" };
    const lacking = needs.map((names) => names.filter((name) => !vars[name]));
    if (lacking.some((names) => names.length === 0)) return { what, state: "real" };
    const lacks = lacking.map((names) => names.join(" and ")).join(", or ");
    return { what, state: "lacking", lacks };
  });
}

/** The service with the longest matching prefix: GOOGLE_DRIVE_… does not belong to GOOGLE_…. */
function ownerOf(name: string): ServiceNeed | undefined {
  return SERVICES.filter(({ prefix }) => name.startsWith(prefix)).sort(
    (a, b) => b.prefix.length - a.prefix.length,
  )[0];
}
