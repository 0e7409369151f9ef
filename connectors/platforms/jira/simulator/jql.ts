import { invalid } from "./refused.ts";
import { momentIn } from "./times.ts";

/** One condition. Values are as written; times are epoch milliseconds. */
export type Clause =
  | { field: "project" | "id" | "status" | "issuetype"; values: string[] }
  | { field: "updated" | "created"; operator: ">=" | ">" | "<=" | "<"; at: number };

export type SortField = "updated" | "created" | "key" | "rank";
export type Query = { clauses: Clause[]; order: { field: SortField; isDescending: boolean }[] };

const SORTABLE: Record<string, SortField> = {
  updated: "updated",
  created: "created",
  key: "key",
  issuekey: "key",
  id: "key",
  rank: "rank",
};
const FIELDS: Record<string, Extract<Clause, { values: string[] }>["field"]> = {
  project: "project",
  id: "id",
  key: "id",
  issue: "id",
  issuekey: "id",
  status: "status",
  issuetype: "issuetype",
  type: "issuetype",
};

/**
 * Reads the part of JQL that the simulator knows: conditions joined by AND on project, id, key, status, type, updated
 * and created, and an order of at most seven fields. Times without a zone are in the zone of whoever asks.
 * @throws Refused for everything else
 */
export function readJql(jql: string, timeZone: string): Query {
  const words = split(jql);
  const query: Query = { clauses: [], order: [] };
  const isOrder = () => words[0]?.toLowerCase() === "order" && words[1]?.toLowerCase() === "by";
  while (words.length > 0 && !isOrder()) {
    if (query.clauses.length > 0 && words.shift()?.toLowerCase() !== "and") {
      throw invalid(`Error in the JQL Query: Expecting either 'OR' or 'AND' but got '${words[0] ?? ""}'.`);
    }
    query.clauses.push(readClause(words, timeZone));
  }
  if (words.length > 0) query.order = readOrder(words.slice(2));
  return query;
}

function readClause(words: string[], timeZone: string): Clause {
  const name = unquote(words.shift() ?? "").toLowerCase();
  const operator = (words.shift() ?? "").toLowerCase();
  if (name === "updated" || name === "created" || name === "createddate" || name === "updateddate") {
    if (operator !== ">=" && operator !== ">" && operator !== "<=" && operator !== "<") {
      throw invalid(`The simulator does not know the operator '${operator}' for '${name}'.`);
    }
    const at = readMoment(words.shift() ?? "", timeZone, name);
    return { field: name.startsWith("updated") ? "updated" : "created", operator, at };
  }
  const field = FIELDS[name];
  if (!field) {
    throw invalid(`Field '${name}' does not exist or you do not have permission to view it.`);
  }
  if (operator === "=") return { field, values: [unquote(words.shift() ?? "")] };
  if (operator !== "in" || words.shift() !== "(") {
    throw invalid(
      `Error in the JQL Query: The operator '${operator}' is not supported by the '${name}' field.`,
    );
  }
  const values: string[] = [];
  for (;;) {
    values.push(unquote(words.shift() ?? ""));
    const sign = words.shift();
    if (sign === ")") return { field, values };
    if (sign !== ",") throw invalid(`Error in the JQL Query: Expecting ')' but got '${sign ?? ""}'.`);
  }
}

function readOrder(words: readonly string[]): Query["order"] {
  const parts = words.join(" ").split(",");
  if (parts.length > 7) throw invalid("The JQL query may not be sorted by more than 7 fields.");
  return parts.map((part) => {
    const [name = "", direction = "asc", ...rest] = part.trim().split(/\s+/);
    const field = SORTABLE[name.toLowerCase()];
    if (!field || rest.length > 0 || !/^(asc|desc)$/i.test(direction)) {
      throw invalid(`Not able to sort using field '${name}'.`);
    }
    return { field, isDescending: direction.toLowerCase() === "desc" };
  });
}

/** `yyyy/MM/dd[ HH:mm]`, the same with dashes, or epoch milliseconds. Jira knows no seconds. */
function readMoment(word: string, timeZone: string, name: string): number {
  const text = unquote(word);
  if (/^\d{6,}$/.test(text)) return Number(text);
  const match = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?: (\d{1,2}):(\d\d))?$/.exec(text);
  if (!match) {
    throw invalid(
      `Date value '${text}' for field '${name}' is invalid. Valid formats include: 'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'.`,
    );
  }
  const [, year, month, day, hour = "0", minute = "0"] = match;
  const pad = (value: string | undefined) => (value ?? "").padStart(2, "0");
  return momentIn(timeZone, `${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:00`);
}

function split(jql: string): string[] {
  const words = jql.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|>=|<=|!=|[=<>(),~]|[^\s=<>(),~!"']+/g) ?? [];
  if (words.join("").replace(/\s/g, "") !== jql.replace(/\s/g, "")) {
    throw invalid("Error in the JQL Query: a sign in it is not understood.");
  }
  return words;
}

function unquote(word: string): string {
  return /^["']/.test(word) ? word.slice(1, -1).replace(/\\(.)/g, "$1") : word;
}
