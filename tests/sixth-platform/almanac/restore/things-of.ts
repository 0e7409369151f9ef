import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { type Child, type Page, pageSchema, type Register, registerSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { rootsOf } from "./restored-part.ts";

/** A page or register of the version. */
export type Thing = { type: "page"; page: Page } | { type: "register"; register: Register };

/** The most records that questions and plans read, however large the version is. */
export const MOST_READ = 500;

/** The pages and registers right below a page that call it their parent, each once. */
export function childrenOf({ blocks }: Pick<Page, "blocks">): Child[] {
  const seen = new Set<string>();
  return blocks.flatMap((block) => {
    if ((block.type !== "page" && block.type !== "register") || seen.has(block.id)) return [];
    seen.add(block.id);
    return [{ type: block.type, id: block.id }];
  });
}

/** Reads a page or register; null when the version has none, or when it lies elsewhere than below `parentId`. */
export async function readThing(
  snapshot: SnapshotView,
  { type, id }: Child,
  parentId?: string,
): Promise<Thing | null> {
  const path = type === "page" ? recordPaths.page(id) : recordPaths.register(id);
  if ((await snapshot.find(path)) === null) return null;
  const value = await snapshot.readRecord(path);
  const thing: Thing =
    type === "page"
      ? { type, page: pageSchema.parse(value) }
      : { type, register: registerSchema.parse(value) };
  const parent = thing.type === "page" ? thing.page.parentId : thing.register.parentId;
  return parentId !== undefined && parent !== parentId ? null : thing;
}

/** The pages and registers that an order restores, parents first; of a row, its register. */
export async function* thingsOf(
  snapshot: SnapshotView,
  order: Pick<RestoreOrder, "part">,
): AsyncGenerator<Thing, void> {
  const roots = await rootsOf(snapshot, order);
  const first: Child[] =
    roots.type === "things" ? [...roots.things] : [{ type: "register", id: roots.row.registerId }];
  const waiting: { child: Child; parentId?: string }[] = first.map((child) => ({ child }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const thing = await readThing(snapshot, next.child, next.parentId);
    if (thing === null) continue;
    yield thing;
    if (thing.type !== "page") continue;
    const { page } = thing;
    waiting.unshift(...childrenOf(page).map((child) => ({ child, parentId: page.id })));
  }
}

/** The registers of an order, as far as a bounded number of records tells. */
export async function registersOf(
  snapshot: SnapshotView,
  order: Pick<RestoreOrder, "part">,
): Promise<Register[]> {
  if (order.part === null) return await allRegisters(snapshot);
  const found: Register[] = [];
  let read = 0;
  for await (const thing of thingsOf(snapshot, order)) {
    if (thing.type === "register") found.push(thing.register);
    read += 1;
    if (read === MOST_READ) break;
  }
  return found;
}

/** What lies in the folder of a register is stepped over, so its rows cost nothing. */
async function allRegisters(snapshot: SnapshotView): Promise<Register[]> {
  const found: Register[] = [];
  for (let after = ""; found.length < MOST_READ; ) {
    const id = await registerBehind(snapshot, after);
    if (id === null) break;
    const thing = await readThing(snapshot, { type: "register", id });
    if (thing?.type === "register") found.push(thing.register);
    after = `${recordPaths.registers}${id}0`;
  }
  return found;
}

async function registerBehind(snapshot: SnapshotView, after: string): Promise<string | null> {
  const { registers } = recordPaths;
  for await (const { path } of snapshot.list(registers, after))
    return path.slice(registers.length, path.indexOf("/", registers.length));
  return null;
}
