import type { ValidateFunction } from "ajv";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { openAjv } from "#tests/conformance/open-ajv.ts";

/** The kind of thing in each response. The first pattern that matches a method and path applies. */
const RULES: readonly [RegExp, string][] = [
  [/\/actions(\/comments)?$|^(GET|PUT) \/actions\/\w+$/, "action"],
  [/^(GET|POST|PUT) \/boards(\/|\/\w+)?$|\/board$|\/(members|organizations)\/\w+\/boards$/, "board"],
  [/^(GET|POST|PUT) \/cards(\/\w+)?$|^PUT \/cards\/\w+\/(idList|idBoard|closed|pos|name|desc)$/, "card"],
  [/^GET \/(boards|lists)\/\w+\/cards(\/\w+)?$/, "card"],
  [/^(GET|POST) \/cards\/\w+\/attachments(\/\w+)?$/, "attachment"],
  [/^(GET|POST|PUT) \/(boards\/\w+\/)?labels(\/\w+)?$/, "label"],
  [/^(GET|POST|PUT) \/(boards\/\w+\/)?lists(\/\w+)?(\/closed)?$/, "list"],
  [/^GET \/members\/\w+$|^GET \/(boards|cards|organizations)\/\w+\/(members|membersVoted)$/, "member"],
  [/^GET \/organizations\/\w+$|^GET \/members\/\w+\/organizations$/, "organization"],
  [/^(GET|POST|PUT) \/(boards\/\w+\/)?customFields(\/\w+)?$/, "customField"],
  [/^(GET|POST) \/customFields\/\w+\/options(\/\w+)?$/, "customFieldOption"],
  [/^(GET|POST|PUT) \/((boards|cards)\/\w+\/)?checklists(\/\w+)?$/, "checklist"],
  [/^(GET|POST|PUT) .*\/checkItems?(\/\w+)?$/, "checkItem"],
  [/^GET \/cards\/\w+\/customFieldItems$/, "customFieldItem"],
  [/^GET \/(boards|cards)\/\w+\/pluginData$/, "pluginData"],
  [/^GET \/tokens\/\w+$/, "token"],
];

/** Nested kinds by field name. */
const NESTED: Record<string, string> = {
  cards: "card",
  lists: "list",
  labels: "label",
  members: "member",
  checklists: "checklist",
  customFields: "customField",
  attachments: "attachment",
  actions: "action",
  pluginData: "pluginData",
  customFieldItems: "customFieldItem",
};

/** Operations of Trello that its published list omits. */
const UNPUBLISHED = [
  /^PUT \/cards\/\w+\/(idList|idBoard|closed|pos|name|desc)$/,
  /^GET \/organizations\/\w+\/members\/all$/,
];

/** Fields of Trello that are neither in the recordings nor in the published schemas. */
const LATER_FIELDS: Record<string, readonly string[]> = {
  board: ["organization", "boardPlugins", "boardStars", "myPrefs", "tags", "organizationPluginData"],
  card: ["mirrorSourceId", "members", "membersVoted", "board", "list", "sticker"],
  list: ["color", "type", "datasource"],
  label: ["uses"],
  checkItem: ["dueReminder"],
  action: ["reactions"],
};

/** Fields that may be null although every recording has a value. */
const NULL_TOO = new Set(["label.color", "card.labels", "attachment.bytes", "member.email", "board.prefs"]);

/**
 * Checks a response against the schemas observed in recordings and the published operations: the operation exists,
 * required fields are present, fields have Trello's types, and no field is unknown.
 * @returns mismatches; empty when it fits, when no rule matches the call, or when the contracts are absent
 */
export function misfitsOf({ method, url, status, body }: AnsweredExchange): string[] {
  if (contractsAreAbsent() || status >= 300) return [];
  const [pathname = "", query = ""] = url.split("?");
  const call = `${method} ${pathname.replace(/(?<=.)\/$/, "")}`;
  const complaints = isPublished(call) ? [] : [`${call}: there is no such operation`];
  const rule = RULES.find(([pattern]) => pattern.test(call));
  if (!rule || body === null || typeof body !== "object" || query.includes("format=count")) return complaints;
  // The only recorded response about a token includes its webhooks.
  const isWhole = !/(^|[&_])fields=/.test(query) && (rule[1] !== "token" || query.includes("webhooks=true"));
  const items = Array.isArray(body) ? body : [body];
  const own = items.flatMap((item) => misfitsOfThing(rule[1], item, isWhole));
  return [...complaints, ...own.map((text) => `${call}: ${text}`)];
}

function misfitsOfThing(kind: string, item: unknown, isWhole: boolean): string[] {
  if (item === null || typeof item !== "object") return [];
  const validate = validator(kind, isWhole);
  const thing = item as Record<string, unknown>;
  const nested = Object.entries(NESTED).flatMap(([name, inner]) => {
    const values = thing[name];
    // The card's own schema checks its labels; other nested things are checked by their kinds.
    if (!Array.isArray(values) || (kind === "card" && name === "labels")) return [];
    return values.flatMap((value) => misfitsOfThing(inner, value, false));
  });
  const known = knownFields(kind);
  const unknown = Object.keys(thing).filter((name) => !known.has(name) && !(name in NESTED));
  const wrong = validate(item)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${kind}${instancePath.replace(/\/\d+/g, "/…")} ${message} ${JSON.stringify(params)}`,
      );
  return [...wrong, ...unknown.map((name) => `${kind} has a made-up field ${name}`), ...nested];
}

const cache = new Map<string, unknown>();
function cached<T>(key: string, make: () => T): T {
  if (!cache.has(key)) cache.set(key, make());
  return cache.get(key) as T;
}

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};

function observed(): Record<string, Schema> {
  return (readContract("trello/observed.schema.json") as { definitions: Record<string, Schema> }).definitions;
}

type Published = {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Schema> };
};

function published(): Published {
  return readContract("trello/openapi.json") as Published;
}

function validator(kind: string, isWhole: boolean): ValidateFunction {
  return cached(`${kind} ${isWhole}`, () => {
    const ajv = openAjv({ allErrors: true });
    return ajv.compile(loosen(observed()[kind] ?? {}, kind, isWhole));
  });
}

/** Loosens an observed schema: integers may be decimals, and a field that was always null may have any type. */
function loosen(schema: Schema, place: string, isWhole: boolean): Schema {
  const types = [schema.type ?? []].flat().map((type) => (type === "integer" ? "number" : type));
  const isOnlyNull = types.length === 1 && types[0] === "null";
  const mayBeNull = [...NULL_TOO].some((known) => place === known || place.startsWith(`${known}.`));
  const properties = Object.entries(schema.properties ?? {}).map(([name, inner]) => [
    name,
    loosen(inner, `${place}.${name}`, false),
  ]);
  return {
    ...(types.length === 0 || isOnlyNull
      ? {}
      : { type: mayBeNull ? [...new Set([...types, "null"])] : types }),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(schema.items ? { items: loosen(schema.items, place, false) } : {}),
    ...(isWhole && schema.required ? { required: schema.required } : {}),
  };
}

function knownFields(kind: string): Set<string> {
  return cached(`fields ${kind}`, () => {
    const name = kind[0]?.toUpperCase() + kind.slice(1);
    const { schemas } = published().components;
    return new Set([
      ...Object.keys(observed()[kind]?.properties ?? {}),
      ...Object.keys(schemas[name]?.properties ?? {}),
      ...(LATER_FIELDS[kind] ?? []),
    ]);
  });
}

function isPublished(call: string): boolean {
  if (UNPUBLISHED.some((pattern) => pattern.test(call))) return true;
  const operations = cached("operations", () =>
    Object.entries(published().paths).flatMap(([template, methods]) => {
      const pattern = template.replace(/\/$/, "").replace(/\{[^}]+\}/g, "[^/]+");
      return Object.keys(methods).map((method) => new RegExp(`^${method.toUpperCase()} ${pattern}$`));
    }),
  );
  return operations.some((pattern) => pattern.test(call));
}
