import { z } from "zod";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";

/** Names of the questions. Runs store answers by them. */
export const COMMENTS = "comments";
export const SHARING = "sharing";
export const UNDER = "under";
export const PREFIX = "prefix";
export const COLUMNS = "columns";

/** Stands for the top of the book among the answers to `under`. */
export const TOP = "top";
export const LONGEST_PREFIX = 30;
/** Stands for the title of a row among the columns of its register. */
export const TITLE = "title";

const answersSchema = z.object({
  [COMMENTS]: z.boolean().catch(true),
  [SHARING]: z.enum(["private", "site"]).catch("private"),
  [UNDER]: z.string().catch(TOP),
  [PREFIX]: z.string().max(LONGEST_PREFIX).catch(""),
  [COLUMNS]: z.record(z.string(), z.string().nullable()).catch({}),
});

/** Parses the answers of an order; what is missing or unknown is the default. */
export function readAnswers({ answers }: Pick<RestoreOrder, "answers">): z.output<typeof answersSchema> {
  return answersSchema.parse(answers);
}

/** The id of a column in the matching. */
export function columnKey(registerId: string, columnId: string): string {
  return `${registerId}.${columnId}`;
}

/** Where the rows of a register go: the register of the target, and its columns by those of the version. */
export type RegisterMatch = { into: string; columns: ReadonlyMap<string, string> };

/**
 * The registers whose rows are added to one of the target, by their ids. A register of which no column is matched is
 * made anew. All its columns lead into one register: that of its title, or else the first that is named.
 */
export function matchedRegisters(
  columns: Readonly<Record<string, string | null>>,
): Map<string, RegisterMatch> {
  const chosen = new Map<string, [from: string, register: string, to: string][]>();
  for (const [key, value] of Object.entries(columns)) {
    const [from, to] = [key.split("."), value?.split(".") ?? []];
    if (from.length !== 2 || to.length !== 2) continue;
    const [source = "", column = ""] = from;
    chosen.set(source, [...(chosen.get(source) ?? []), [column, to[0] ?? "", to[1] ?? ""]]);
  }
  return new Map(
    [...chosen].map(([source, pairs]) => {
      const [first] = pairs.toSorted(([one], [other]) => Number(other === TITLE) - Number(one === TITLE));
      const into = first?.[1] ?? "";
      const own = pairs.flatMap(([from, register, to]): [string, string][] =>
        register === into ? [[from, to]] : [],
      );
      return [source, { into, columns: new Map(own) }];
    }),
  );
}
