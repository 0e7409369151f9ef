import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { MatchedThing, RestoreQuestion } from "#connectors/contract/restore-question.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { almanacClient, listPages, paths, siteOf } from "../client.ts";
import { bookSchema, type Page, pageSchema, type Register, registerSchema } from "../payloads.ts";
import {
  COLUMNS,
  COMMENTS,
  columnKey,
  LONGEST_PREFIX,
  PREFIX,
  SHARING,
  TITLE,
  TOP,
  UNDER,
} from "./answers.ts";
import { registersOf } from "./things-of.ts";

/** Few enough for a form. Registers beyond them are made anew. */
const MOST_COLUMNS = 80;
const MOST_PLACES = 50;
const MOST_TARGET_REGISTERS = 50;

const COMMENTS_QUESTION = {
  type: "switch",
  name: COMMENTS,
  label: "Bring comments back",
  help: "Each begins with the name of its author and the time, because Almanac shows the connected account.",
  default: true,
} as const satisfies RestoreQuestion;

const SHARING_QUESTION = {
  type: "choice",
  name: SHARING,
  label: "Who may see the new book",
  help: "",
  options: [
    { value: "private", label: "Only you", help: "You can share it at Almanac once you have looked at it." },
    { value: "site", label: "Everybody of the site" },
  ],
  default: "private",
} as const satisfies RestoreQuestion;

/** What is asked before a restore: who may see a new book; in an existing one where things go. */
export async function restoreQuestions(
  session: Session,
  snapshot: SnapshotView,
  order: Omit<RestoreOrder, "answers">,
): Promise<readonly RestoreQuestion[]> {
  if (order.target.kind === "new") return [SHARING_QUESTION, COMMENTS_QUESTION];
  const bookId = order.target.item.externalId;
  const sources = await registersOf(snapshot, order);
  const targets = sources.length === 0 ? [] : await targetRegisters(session, bookId);
  const matching = matchingOf(sources, targets, order.part !== null);
  return [
    placeQuestion(await topPages(session, bookId)),
    {
      ...{ type: "text", name: PREFIX, label: "Words before the restored titles", maxLength: LONGEST_PREFIX },
      ...{ help: "They tell what was restored from what is there. Empty is fine.", default: "" },
    },
    ...(matching === null ? [] : [matching]),
    COMMENTS_QUESTION,
  ];
}

function placeQuestion(pages: readonly Page[]): RestoreQuestion {
  const below = pages.map(({ id, title }) => ({
    value: id,
    label: `Below ${title || "a page without a title"}`,
  }));
  return {
    ...{ type: "choice", name: UNDER, label: "Where it goes" },
    help: "Restored pages and registers stand behind what is there.",
    options: [{ value: TOP, label: "At the top of the book" }, ...below],
    default: null,
  };
}

async function topPages(session: Session, bookId: string): Promise<Page[]> {
  const client = almanacClient(session);
  const path = paths.book(siteOf(session), bookId);
  const { contents } = await client.request({ method: "GET", path, about: "that book" }, bookSchema);
  const places = contents.flatMap(({ type, id }) => (type === "page" ? [id] : [])).slice(0, MOST_PLACES);
  if (places.length === 0) return [];
  const query = { ids: places.join(",") };
  const call = { path: paths.below(siteOf(session), bookId, "pages"), query, about: "that book" };
  const found: Page[] = [];
  for await (const { items } of listPages(client, call, pageSchema)) found.push(...items);
  return places.flatMap((id) => found.filter((page) => page.id === id));
}

/** The registers of the target, at most a form's worth. */
export async function targetRegisters(session: Session, bookId: string): Promise<Register[]> {
  const call = { path: paths.below(siteOf(session), bookId, "registers"), about: "that book" };
  const found: Register[] = [];
  for await (const { items } of listPages(almanacClient(session), call, registerSchema)) {
    found.push(...items.filter(({ isArchived }) => !isArchived));
    if (found.length >= MOST_TARGET_REGISTERS) break;
  }
  return found.slice(0, MOST_TARGET_REGISTERS);
}

/**
 * Matches the columns of registers whose title the target has too; of a part those of all its registers, because people
 * may want its rows elsewhere. Null = there is nothing to match.
 */
function matchingOf(
  sources: readonly Register[],
  targets: readonly Register[],
  isPart: boolean,
): Extract<RestoreQuestion, { type: "matching" }> | null {
  const left: MatchedThing[] = [];
  const proposal: Record<string, string | null> = {};
  const suggested: string[] = [];
  for (const source of sources) {
    const twin = targets.find(({ title }) => isAlike(title, source.title)) ?? null;
    if (targets.length === 0 || (twin === null && !isPart)) continue;
    const things = columnsOf(source);
    if (left.length + things.length > MOST_COLUMNS) break;
    left.push(...things);
    for (const { id, name, type } of withTitle(source)) {
      const same = twin && withTitle(twin).find((each) => isAlike(each.name, name) && each.type === type);
      const key = columnKey(source.id, id);
      proposal[key] = same ? columnKey(twin.id, same.id) : null;
      if (same && same.name !== name) suggested.push(key);
    }
  }
  if (left.length === 0) return null;
  return {
    ...{ type: "matching", name: COLUMNS, label: "Columns of the registers" },
    help: "Rows are added to the register whose columns you choose. A register of which nothing is matched is made anew.",
    things: { one: "column", many: "columns" },
    ...{ left, right: targets.flatMap(columnsOf), default: proposal, suggested, isRequired: true },
  };
}

function withTitle({ columns }: Register) {
  return [{ id: TITLE, name: "Title", type: "title" }, ...columns];
}

function columnsOf(register: Register): MatchedThing[] {
  return withTitle(register).map(({ id, name, type }) => ({
    id: columnKey(register.id, id),
    label: `${register.title || "Register"} · ${name}`,
    note: type,
  }));
}

function isAlike(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
