import type { Json } from "#core/kernel/canonical-json.ts";
import type { IssueRecord } from "../record-types.ts";
import { isAlike } from "./columns.ts";
import { allowedNamed } from "./field-values.ts";
import type { FoundIssue } from "./jira-calls.ts";
import { isRefused } from "./rest-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { sentence } from "./restore-names.ts";
import type { MadeIssue } from "./restored-issues.ts";
import { type Edge, pathTo } from "./workflow-path.ts";

/** Steps over a workflow at most; a longer way means that its graph is not what it seems. */
const MOST_STEPS = 20;

/**
 * Moves an issue to the status of its matched column, over the workflow from status to status. If a transition is not
 * allowed, it takes another way or the one that Jira offers, or stops there and tells so.
 */
export async function moveIssue(io: RestoreIo, record: IssueRecord, note: MadeIssue): Promise<null> {
  const { fields, key } = record;
  const wanted = io.target.statusFor(fields.status);
  if (wanted === null) {
    const reason = "No column of the target was chosen for it; its issues stay in their first status.";
    note.lines.push({ type: "changed", what: `Status ${fields.status.name}`, reason });
    return null;
  }
  if (!isAlike(wanted.name, fields.status.name)) {
    const reason = `Its issues got the status ${wanted.name}.`;
    note.lines.push({ type: "changed", what: `Status ${fields.status.name}`, reason });
  }
  const workflow = await io.target.workflowOf(note.typeId);
  const read = async () => (await current(io, note))?.statusId ?? "";
  let at = workflow?.initial ?? (await io.target.initialStatus(note.typeId, read));
  const refused = new Set<string>();
  for (let steps = 0; at !== wanted.id && steps < MOST_STEPS; steps++) {
    const edges = workflow?.edges.filter(({ id }) => !refused.has(id)) ?? [];
    const [next] = pathTo({ initial: null, edges }, at, wanted.id) ?? [];
    const edge = next ?? (await offered(io, note, wanted.id));
    if (edge === null || refused.has(edge.id)) break;
    try {
      await io.maker.make({
        look: async () => ((await read()) === edge.to ? true : null),
        create: async () => {
          await io.calls.transition(note.key, edge.id, await onScreen(io, record, note, edge));
          return true;
        },
      });
      at = edge.to;
    } catch (error) {
      if (!isRefused(error)) throw error;
      // Another status than the graph says, or a condition: another way may lead there.
      at = await read();
      refused.add(edge.id);
    }
  }
  if (at === wanted.id) return null;
  const reason = `No transition that the account may use leads to ${wanted.name}.`;
  note.lines.push({ type: "changed", what: `Status of ${key}`, reason });
  return null;
}

/** The resolution, if the screen of a transition asks for it. Most workflows take it nowhere else. */
async function onScreen(
  io: RestoreIo,
  { fields }: IssueRecord,
  note: MadeIssue,
  edge: Edge,
): Promise<Record<string, Json>> {
  if (fields.resolution === null) return {};
  const screen = await io.target.screenOf(note.typeId, edge.id, () =>
    io.calls.transitionFields(note.key, edge.id),
  );
  const field = screen.find(({ fieldId }) => fieldId === "resolution");
  const { value } = field ? allowedNamed(fields.resolution as Json, field) : { value: undefined };
  return value === undefined ? {} : { resolution: value };
}

/** The transition that Jira offers to a status now; null = none. */
async function offered({ calls }: RestoreIo, { key }: MadeIssue, statusId: string): Promise<Edge | null> {
  const found = (await calls.transitions(key)).find(({ to }) => to === statusId);
  return found === undefined ? null : { id: found.id, from: [], to: found.to };
}

/** Sets the resolution, after the status. Mostly the transition has set it already. */
export async function resolveIssue(
  io: RestoreIo,
  { fields, key }: IssueRecord,
  note: MadeIssue,
): Promise<null> {
  const name = fields.resolution?.name ?? "";
  const there = (await current(io, note))?.resolution ?? null;
  if (there !== null && isAlike(there, name)) return null;
  try {
    await io.calls.editIssue(note.key, { resolution: { name } });
  } catch (error) {
    if (!isRefused(error)) throw error;
    note.lines.push({
      type: "changed",
      what: `Resolution ${name} of ${key}`,
      reason: sentence(error.message),
    });
  }
  return null;
}

async function current({ calls }: RestoreIo, { key }: MadeIssue): Promise<FoundIssue | null> {
  return (await calls.issues([key]))[0] ?? null;
}
