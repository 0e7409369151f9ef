import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { WHOLE_EVERY_DAYS } from "#connectors/toolkit/records/backup-state.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { recordPaths } from "../record-paths.ts";
import { CYCLE_DAYS, LINK_CYCLES } from "./back-up-rolling.ts";
import { openProject } from "./project-run.ts";

type NotKept = { what: string; reason: string };

/** What no API of Jira returns to apps of this kind; every version lists it. */
const NEVER: readonly NotKept[] = [
  { what: "Automation rules", reason: "Jira's API for automation is not open to apps of this kind." },
  {
    what: "Data of other apps",
    reason: "Only what apps store as properties of issues and of the project is readable.",
  },
  { what: "Private filters and boards of others", reason: "Jira shows them to their owners only." },
  { what: "Dashboards and plans", reason: "They belong to people and to the site, not to one project." },
];
const OTHER_SERVICE = "A service of its own keeps them; Jira's API does not return them.";
const NO_CALL = "Jira's REST API does not return them.";

/** The same for each type of project. */
const NEVER_OF_TYPE: Readonly<Record<string, readonly NotKept[]>> = {
  service_desk: [
    {
      what: "Service level agreements",
      reason: "Jira's API tells how a request stands, which its fields keep, not how the goals are set.",
    },
    { what: "Forms", reason: OTHER_SERVICE },
    { what: "Objects of Assets", reason: `${OTHER_SERVICE} Issues keep which they name.` },
    {
      what: "Customers and organizations",
      reason: "They belong to the site. Each request keeps who asked and who takes part.",
    },
    { what: "The portal's looks, groups of request types and articles", reason: NO_CALL },
  ],
  business: [{ what: "Views such as list, calendar and timeline, and forms", reason: NO_CALL }],
  product_discovery: [{ what: "Views, insights and the ways in which fields are rated", reason: NO_CALL }],
};

/**
 * The record of what a version cannot contain: who read it, what is never kept, what Jira refused, and how old the parts
 * without a time of change may be. It has no time itself: equal content gives equal records.
 */
export function notKeptRecord(
  run: StagesRun,
  {
    typeKey,
    refused,
  }: { typeKey: string; refused: readonly { path: string; kind: string; reason: string }[] },
): BackupEvent {
  const { accountId, fullName } = openProject(run).connection;
  return {
    type: "record",
    path: recordPaths.setting("not-kept"),
    kind: "setting",
    title: "What is not in this version, and how old its parts may be",
    value: {
      seenAs: { accountId, displayName: fullName ?? "" },
      never: [...NEVER, ...(NEVER_OF_TYPE[typeKey] ?? [])],
      refused: [...refused],
      ages: [
        { what: "Configuration, boards and sprints", mostDays: WHOLE_EVERY_DAYS },
        { what: "Votes, watchers, ranks and security levels of issues", mostDays: CYCLE_DAYS },
        { what: "Web links and properties of issues", mostDays: CYCLE_DAYS * LINK_CYCLES },
      ],
    },
  };
}
