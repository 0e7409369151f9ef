/** How an outside service is reached: for real, simulated, or configured but incomplete. */
export type ServiceVerdict =
  | { what: string; state: "real" | "simulated" }
  | { what: string; state: "lacking"; lacks: string };

type ServiceNeed = { what: string; prefix: string; needs: readonly (readonly string[])[] };

const CLIENT = ["CLIENT_ID", "CLIENT_SECRET"] as const;

/** The outside services, and the alternative sets of settings that each needs. */
const SERVICES: readonly ServiceNeed[] = [
  { what: "GitHub", prefix: "GITHUB_", needs: [CLIENT] },
  { what: "GitLab", prefix: "GITLAB_", needs: [CLIENT] },
  { what: "Trello", prefix: "TRELLO_", needs: [CLIENT, ["API_KEY"]] },
  { what: "Dropbox", prefix: "DROPBOX_", needs: [CLIENT] },
  { what: "Google Drive", prefix: "GOOGLE_DRIVE_", needs: [CLIENT] },
  { what: "Sign-in through Google", prefix: "GOOGLE_", needs: [CLIENT] },
  {
    what: "Sign-in through the company",
    prefix: "ENTERPRISE_",
    needs: [["ISSUER", ...CLIENT, "DOMAIN"]],
  },
  { what: "Sign-in through Okta", prefix: "OKTA_", needs: [["ISSUER", ...CLIENT]] },
];

/** Evaluates the variables in `.dev.vars`. A service with any variable set is the real one and must be complete. */
export function judgeServices(vars: Readonly<Record<string, string>>): ServiceVerdict[] {
  return SERVICES.map(({ what, prefix, needs }) => {
    const isNamed = Object.keys(vars).some(
      (name) => name.startsWith(prefix) && ownerOf(name)?.prefix === prefix,
    );
    if (!isNamed) return { what, state: "simulated" };
    const lacking = needs.map((names) => names.filter((name) => !vars[prefix + name]));
    if (lacking.some((names) => names.length === 0)) return { what, state: "real" };
    const lacks = lacking.map((names) => names.map((name) => prefix + name).join(" and ")).join(", or ");
    return { what, state: "lacking", lacks };
  });
}

/** The service with the longest matching prefix: GOOGLE_DRIVE_… does not belong to GOOGLE_…. */
function ownerOf(name: string): ServiceNeed | undefined {
  return SERVICES.filter(({ prefix }) => name.startsWith(prefix)).sort(
    (a, b) => b.prefix.length - a.prefix.length,
  )[0];
}
