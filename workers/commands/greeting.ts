import { setups } from "#connectors/registry/setups.generated.ts";
import { DEMO_PERSON } from "./seed-demo.ts";

/** The message after a successful start: the URL of every simulated service, and what to try. */
export function greetingOf(started: {
  appUrl: string;
  simulated: Readonly<Record<string, string>>;
  isSeeded: boolean;
  logs: string;
}): string {
  const { appUrl, simulated, isSeeded, logs } = started;
  const rows: [string, string | undefined][] = [
    ["Holdfast is running", appUrl],
    ["Sign in as", isSeeded ? `${DEMO_PERSON.email}   password: ${DEMO_PERSON.password}` : undefined],
    ["Mail inbox", simulated.MAIL_URL],
    ...Object.values(setups).flatMap(({ simulator }): [string, string | undefined][] => {
      if (!simulator) return [];
      const [what] = simulator.listeners;
      return [[`${what[0]?.toUpperCase()}${what.slice(1)}`, simulated[simulator.address]]];
    }),
    ["Simulated Dropbox", simulated.DROPBOX_URL],
    ["Simulated Google Drive", simulated.GOOGLE_DRIVE_WEB_URL],
    ["Simulated Stripe", simulated.STRIPE_API_URL],
    ["Inside simulated Jira", insideJira(simulated)],
    ["Logs", logs],
  ];
  return [
    "",
    ...rows.flatMap(([what, address]) => (address ? [`${`${what}:`.padEnd(24)} ${address}`] : [])),
    "",
    "Try: open a repository's versions, download one as a ZIP and `git clone` what is in it;",
    "     press Backup now and watch the bar; restore a version into a new repository and find it at the simulated GitHub.",
    "Ctrl-C stops everything and keeps the data; `npm start -- --reset` begins anew.",
  ].join("\n");
}

/** The page at the simulated host that shows Holdfast in a frame. */
function insideJira({ FORGE_SITE_ORIGINS: site }: Readonly<Record<string, string>>): string | undefined {
  return site && `${site}/jira/apps/holdfast`;
}
