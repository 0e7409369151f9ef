import type { PersonNews } from "#connectors/contract/people.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

/**
 * What stands in place of the name of a closed account, as at Atlassian ("What happens when an account is deactivated vs.
 * deleted?"). The id of the account stays: Atlassian does not count it as personal data by itself.
 */
export const FORMER_USER = "Former user";

/** Names by account id. */
export type Names = ReadonlyMap<string, string>;

/** What every closed account is called. */
export function formerNames(news: readonly PersonNews[] = []): Names {
  const closed = news.filter(({ state }) => state === "closed");
  return new Map(closed.map(({ externalId }) => [externalId, FORMER_USER]));
}

/** An account of Atlassian, or of a customer of a service project, as a value of the history has it. */
const ACCOUNT_ID = /^(?:[0-9a-f]{24}|\w{2,10}:[\w:-]{20,100})$/;
/** Several values in the history: `[id, id]`, named `Name, Name`. */
const LIST = /^\[(.*)\]$/;

type Fields = { [key: string]: Json };
/** Returns what to call the person instead; undefined = the same. */
type Rule = (accountId: string, name: string) => string | undefined;

/**
 * Replaces the names of people wherever a record has them: beside the account's id, in mentions, as actors of roles and in
 * the history. Text that people typed stays as it is, as at Atlassian.
 * @returns the same value when nothing changes
 */
export function withNames(value: Json, names: Names): Json {
  return names.size === 0 ? value : visit(value, (accountId) => names.get(accountId));
}

/** The accounts whose names a value has, each once. */
export function namedPeople(value: Json): Set<string> {
  const found = new Set<string>();
  visit(value, (accountId, name) => {
    if (name !== "" && name !== "@") found.add(accountId);
    return undefined;
  });
  return found;
}

function visit(value: Json, rule: Rule): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const members = value.map((member) => visit(member, rule));
    return members.some((member, index) => member !== value[index]) ? members : value;
  }
  const news: Fields = nameBeside(value, rule) ?? {};
  let isChanged = Object.keys(news).length > 0;
  for (const [key, member] of Object.entries(value)) {
    if (key in news) continue;
    const next = visit(member, rule);
    if (next !== member) {
      news[key] = next;
      isChanged = true;
    }
  }
  return isChanged ? { ...value, ...news } : value;
}

/** The members of an object that name somebody and are called differently now. */
function nameBeside(value: Fields, rule: Rule): Fields | null {
  const own = textOf(value.accountId) ?? textOf(fieldsOf(value.actorUser)?.accountId);
  if (own !== null && typeof value.displayName === "string") {
    return changed("displayName", value.displayName, rule(own, value.displayName));
  }
  if (value.type === "mention") {
    const attrs = fieldsOf(value.attrs);
    const id = textOf(attrs?.id);
    if (attrs === null || id === null || typeof attrs.text !== "string") return null;
    const name = rule(id, attrs.text);
    const text = changed("text", attrs.text, name === undefined ? undefined : `@${name}`);
    return text === null ? null : { attrs: { ...attrs, ...text } };
  }
  if ("fromString" in value || Object.hasOwn(value, "toString")) {
    const news = {
      ...inHistory(value, ["from", "fromString"], rule),
      ...inHistory(value, ["to", "toString"], rule),
    };
    return Object.keys(news).length === 0 ? null : news;
  }
  return null;
}

function inHistory(item: Fields, [idKey, nameKey]: readonly [string, string], rule: Rule): Fields | null {
  const [ids, names] = [textOf(item[idKey]), Object.hasOwn(item, nameKey) ? textOf(item[nameKey]) : null];
  if (ids === null || names === null) return null;
  if (ACCOUNT_ID.test(ids)) return changed(nameKey, names, rule(ids, names));
  const several = LIST.exec(ids)?.[1]?.split(", ") ?? [];
  if (several.length === 0 || !several.every((id) => ACCOUNT_ID.test(id))) return null;
  const known = names.split(", ");
  const renamed = several.map((id, index) => rule(id, known[index] ?? names));
  if (renamed.every((name) => name === undefined)) return null;
  // A name may contain the comma: then nobody knows which part is whose, and all of it goes.
  const isClear = known.length === several.length;
  return changed(
    nameKey,
    names,
    renamed.map((name, index) => name ?? (isClear ? known[index] : FORMER_USER)).join(", "),
  );
}

function changed(key: string, before: string, after: string | undefined): Fields | null {
  return after === undefined || after === before ? null : { [key]: after };
}

const textOf = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

function fieldsOf(value: Json | undefined): Fields | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
