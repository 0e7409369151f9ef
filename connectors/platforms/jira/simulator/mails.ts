import type { Issue } from "./state.ts";
import type { Viewer } from "./viewer.ts";

/** Counts the e-mails that Jira would send to watchers, the assignee and the reporter; not to whoever caused it. */
export function tellPeople({ site, person }: Viewer, issue: Issue): void {
  const { assignee, reporter } = issue.values;
  const people = new Set([...issue.watcherIds, assignee, reporter].filter((one) => typeof one === "string"));
  people.delete(person.accountId);
  site.mails += people.size;
}
