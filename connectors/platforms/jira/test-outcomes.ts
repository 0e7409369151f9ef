import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import type { Project } from "./simulator/state.ts";
import type { RestoreBench } from "./test-bench.ts";

/** What a project holds, without what differs between two restores of one version. */
export function contentOf(bench: RestoreBench, project: Project): string {
  const { key: _, name: _name, boards, ...rest } = bench.dump(project);
  const issues = rest.issues.map(({ properties: _mark, ...issue }) => issue);
  const text = JSON.stringify({ ...rest, issues, sprints: boards.flatMap(({ sprints }) => sprints) });
  return text.replaceAll(`${project.key}-`, "KEY-").replace(/content\/\d+/g, "content/ID");
}

/** The report of a restore into a project, without its key. The order of lines does not matter. */
export function reportOf(events: readonly RestoreEvent[], { key }: Project): string[] {
  return events
    .filter(({ type }) => type !== "progress" && type !== "checkpoint")
    .map((event) => JSON.stringify(event).replaceAll(`${key}-`, "KEY-"))
    .sort();
}
