import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { CallLimit, RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { openPlanSheet, type PlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { MOST_SAMPLED } from "#connectors/toolkit/records/sample-folder.ts";
import { PACE } from "../client.ts";
import { recordPaths } from "../record-paths.ts";
import { placeOf } from "../restore/answers.ts";
import { type Part, readPart } from "../restore/part-of-workspace.ts";
import { propertyLines } from "../restore/property-lines.ts";
import { knownLines } from "../restore/report-lines.ts";
import { computedSteps, idPrefix, relationSteps } from "../restore/schemas.ts";
import { foldersOf, readContents, readSource, sourcesOf, walkVersion } from "../restore/walk-version.ts";
import { restoredKinds } from "../restored-kinds.ts";
import { type ContentCosts, openContentCosts } from "./content-costs.ts";
import { sampleFolders, sampleRows } from "./sample-homes.ts";

const LIMITS: readonly CallLimit[] = [
  { of: "calls", resource: "connection", most: PACE.points, periodMs: PACE.perMs },
];
/** Things below a part that are counted one by one. */
const MOST_NODES = 2_000;
/** Databases of a part whose schemas are read. */
const MOST_DATABASES = 100;
const ROWS_PER_LIST = 100;

/** Plans a `restore`: exact counts from the version, the cost from a sample of its pages and rows. */
export async function planRestore(
  _account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  const part = await readPart(snapshot, order);
  const sheet = openPlanSheet(restoredKinds, LIMITS);
  // A change of nothing that tells whether changes are allowed; the first page, and its title.
  sheet.spend({ writes: 3, creations: 1 });
  if (part === null) await planWhole(snapshot, sheet);
  else await planPart(snapshot, sheet, { order, part });
  const { comment = 0, template = 0 } = snapshot.counts();
  for (const line of knownLines({ hasComments: comment > 0, templates: template, isWhole: part === null })) {
    sheet.tell(line);
  }
  return sheet.done();
}

async function planWhole(snapshot: SnapshotView, sheet: PlanSheet): Promise<void> {
  const counts = snapshot.counts();
  const { page = 0, database = 0, row = 0, view = 0, comment = 0, file = 0 } = counts;
  const sources = counts["data-source"] ?? 0;
  const left = await leftOut(snapshot, counts);
  sheet.creates("top-page", 1);
  for (const [kind, count] of Object.entries({ page, database, row, view })) sheet.creates(kind, count);
  sheet.creates("data-source", sources);
  sheet.creates("comment", comment - left.comments);
  sheet.spend({ writes: page + row + database, creations: page + row + database });
  const databases = await sampleFolders(snapshot, recordPaths.databases, { count: database });
  await planTables(snapshot, sheet, databases, database);
  const sourceIds: string[] = [];
  for (const id of databases) {
    if (await isHeld(snapshot, id)) sourceIds.push(...(await sourcesOf(snapshot, id)));
  }
  const pageNames = await sampleFolders(snapshot, recordPaths.pages, { count: page });
  const pages = pageNames.map((id) => recordPaths.pageHome(id));
  const costs = await openContentCosts(snapshot, sheet);
  await planContent(costs, sheet, { homes: pages, count: page, isRow: false });
  const rows = await sampleRows(snapshot, sourceIds, row);
  await planContent(costs, sheet, { homes: rows, count: row, isRow: true });
  const content = costs.finish(pages.length === page && rows.length === row);
  sheet.creates("file", file - left.files - content.left + content.copied);
  if (file > 0) sheet.spend({ reads: 1 });
}

type Content = { homes: readonly string[]; count: number; isRow: boolean };

/** The cost of what is on pages or rows, from those that are read. */
async function planContent(costs: ContentCosts, sheet: PlanSheet, { homes, count, isRow }: Content) {
  if (homes.length < count) sheet.estimate();
  for (const home of homes) await costs.add({ home, isRow }, count / homes.length);
}

/** The cost of schemas, views and the count of rows, from the databases that are read. */
async function planTables(
  snapshot: SnapshotView,
  sheet: PlanSheet,
  databases: readonly string[],
  count: number,
): Promise<void> {
  if (databases.length < count) sheet.estimate();
  const times = databases.length === 0 ? 0 : count / databases.length;
  const all = [];
  for (const id of databases) {
    if (!(await isHeld(snapshot, id))) continue;
    const ids = await sourcesOf(snapshot, id);
    sheet.spend({ reads: ids.length, writes: ids.length > 1 ? ids.length : 0 }, times);
    const shown = new Set<string>();
    let views = 0;
    for await (const { path } of snapshot.list(recordPaths.viewsOf(id))) {
      const { data_source_id: source } = (await snapshot.readRecord(path)) as { data_source_id?: string };
      views += 1;
      if (source) shown.add(source);
    }
    if (views > 0)
      sheet.spend({ reads: 1 + shown.size, writes: views + ids.length, creations: views }, times);
    for (const sourceId of ids) {
      all.push(await readSource(snapshot, sourceId));
      let rows = 0;
      for await (const _ of foldersOf(snapshot, recordPaths.rowsOf(sourceId))) {
        rows += 1;
        if (rows === MOST_NODES) break;
      }
      sheet.spend({ writes: Math.ceil(rows / ROWS_PER_LIST) }, times);
    }
  }
  const steps =
    relationSteps(all).length +
    computedSteps(all).length +
    all.filter((each) => idPrefix(each) !== null).length;
  sheet.spend({ writes: steps }, times);
}

async function isHeld(snapshot: SnapshotView, databaseId: string): Promise<boolean> {
  return (await snapshot.find(recordPaths.database(databaseId))) !== null;
}

/** Files and comments of the version that no restore brings back: those of templates, and pictures of emojis. */
async function leftOut(snapshot: SnapshotView, counts: Readonly<Record<string, number>>) {
  const left = { files: 0, comments: 0 };
  const add = async (prefix: string) => {
    for await (const { kind } of snapshot.list(prefix)) {
      if (kind === "file") left.files += 1;
      if (kind === "comment") left.comments += 1;
    }
  };
  if ((counts.emoji ?? 0) > 0) await add(recordPaths.emojis);
  if ((counts.template ?? 0) === 0) return left;
  for await (const sourceId of foldersOf(snapshot, recordPaths.sources)) {
    await add(recordPaths.templatesOf(sourceId));
  }
  return left;
}

/** A part is counted thing by thing, up to a limit. */
async function planPart(
  snapshot: SnapshotView,
  sheet: PlanSheet,
  { order, part }: { order: RestoreOrder; part: Part },
): Promise<void> {
  const isOutside =
    part.type === "row" && (order.target.kind === "new" || placeOf(order, true).kind !== "table");
  const databases: string[] = [];
  const costs = await openContentCosts(snapshot, sheet);
  let nodes = 0;
  for await (const node of walkVersion(snapshot, [part], null)) {
    nodes += 1;
    if (nodes > MOST_NODES) {
      sheet.estimate();
      break;
    }
    sheet.creates(node.kind, 1);
    if (nodes > 1) sheet.spend({ writes: 1, creations: 1 });
    if (node.kind === "database") {
      databases.push(node.id);
      sheet.creates("data-source", (await sourcesOf(snapshot, node.id)).length);
      await planViews(snapshot, sheet, node.id);
      continue;
    }
    if (nodes > MOST_SAMPLED * 2) sheet.estimate();
    const cost = await costs.add({ home: node.home, isRow: node.kind === "row" });
    sheet.creates("comment", cost.comments);
    sheet.creates("file", cost.files);
    if (nodes === 1 && isOutside) await planLines(snapshot, sheet, part);
  }
  sheet.creates("file", costs.finish(nodes <= MOST_NODES).copied);
  await planTables(snapshot, sheet, databases.slice(0, MOST_DATABASES), databases.length);
}

async function planViews(snapshot: SnapshotView, sheet: PlanSheet, databaseId: string): Promise<void> {
  let views = 0;
  for await (const _ of snapshot.list(recordPaths.viewsOf(databaseId))) views += 1;
  sheet.creates("view", views);
}

/** A row outside its table gets its values as lines. */
async function planLines(snapshot: SnapshotView, sheet: PlanSheet, { node }: Part): Promise<void> {
  const lines = await propertyLines({ snapshot, losses: { tell: () => undefined } }, node);
  const { hasLead } = await readContents(snapshot, node.home);
  if (lines.length > 0 && !hasLead) sheet.spend({ writes: 1, reads: 1, creations: 1 });
}
