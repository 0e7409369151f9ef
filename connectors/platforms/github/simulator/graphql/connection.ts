import { type Arguments, FieldError, type GraphqlObject } from "./execute.ts";

/** Largest page. */
const PAGE_LIMIT = 100;

/**
 * A list with cursors, as GitHub pages every list. A cursor contains the id of an item, so items that are added or
 * removed in between shift nothing.
 * @param name The field's name, for error messages.
 * @param render Renders one item; called only for the items of the page.
 */
export function connection<T>(
  name: string,
  items: readonly T[],
  idOf: (item: T) => number,
  render: (item: T) => GraphqlObject,
): (args: Arguments) => GraphqlObject {
  return (args) => {
    const ids = items.map(idOf);
    const after = typeof args.after === "string" ? positionOf(ids, args.after) : -1;
    const before = typeof args.before === "string" ? positionOf(ids, args.before) : ids.length;
    const bounds = () => {
      const count = boundOf(args, name);
      const from =
        args.first !== undefined && args.first !== null ? after + 1 : Math.max(after + 1, before - count);
      return { from, to: Math.min(before, from + count) };
    };
    const nodes = () => items.slice(bounds().from, bounds().to).map(render);
    const cursorAt = (index: number) => (ids[index] === undefined ? null : cursorOf(ids[index]));
    return {
      totalCount: items.length,
      nodes,
      edges: () =>
        items.slice(bounds().from, bounds().to).map((item) => ({
          cursor: cursorOf(idOf(item)),
          node: () => render(item),
        })),
      pageInfo: () => {
        const { from, to } = bounds();
        return {
          hasNextPage: to < items.length,
          hasPreviousPage: from > 0,
          startCursor: to > from ? cursorAt(from) : null,
          endCursor: to > from ? cursorAt(to - 1) : null,
        };
      },
    };
  };
}

function cursorOf(id: number): string {
  return Buffer.from(`cursor:v2:${id}`).toString("base64");
}

/** Position of a cursor. If its item was deleted, ids are compared. */
function positionOf(ids: readonly number[], cursor: string): number {
  const id = Number(Buffer.from(cursor, "base64").toString().split(":").at(-1));
  if (Number.isNaN(id)) {
    throw new FieldError("INVALID_CURSOR_ARGUMENTS", `\`${cursor}\` does not appear to be a valid cursor.`);
  }
  const index = ids.indexOf(id);
  if (index >= 0) return index;
  const isAscending = (ids[0] ?? 0) <= (ids.at(-1) ?? 0);
  const after = ids.findIndex((known) => (isAscending ? known > id : known < id));
  return after < 0 ? ids.length - 1 : after - 1;
}

function boundOf(args: Arguments, name: string): number {
  const [word, count] =
    args.first !== undefined && args.first !== null ? ["first", args.first] : ["last", args.last];
  if (typeof count !== "number") {
    throw new FieldError(
      "MISSING_PAGINATION_BOUNDARIES",
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  }
  if (count > PAGE_LIMIT || count < 0) {
    throw new FieldError(
      "EXCESSIVE_PAGINATION",
      `Requesting ${count} records on the \`${name}\` connection exceeds the \`${word}\` limit of ${PAGE_LIMIT} records.`,
    );
  }
  return count;
}
