import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const app = path.join(import.meta.dirname, "..");
const sources = globSync("**/*.{ts,tsx}", { cwd: app })
  .filter((name) => !name.includes(".test.") && !name.endsWith(".server.ts"))
  .map((name) => ({ name, text: readFileSync(path.join(app, name), "utf8") }));

/** Modules whose functions call the server. */
const CALLS = /\/(?:call-api|call-platform|call-storage-form|transport|[a-z-]*calls|fetch-[a-z-]+)\.ts$/;

/** What a file imports from such modules, except types and pure values. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/^import \{([^}]*)\} from "([^"]+)"/gms)]
    .filter(([, , from]) => CALLS.test(from ?? ""))
    .flatMap(([, names]) => (names ?? "").split(","))
    .map((name) => name.trim())
    .filter((name) => /^[a-z]/.test(name) && !name.startsWith("type ") && name !== "listenToFailures");
}

/** The arguments of each call of the function, with balanced brackets. */
function argumentsOf(text: string, called: RegExp): string[] {
  return [...text.matchAll(called)].map(({ index, 0: { length } }) => {
    let depth = 1;
    let end = index + length;
    while (depth > 0 && end < text.length) {
      if (text[end] === "(") depth += 1;
      if (text[end] === ")") depth -= 1;
      end += 1;
    }
    return text.slice(index + length, end - 1);
  });
}

/** The effects of a file that name one of its calls. */
function effectsThatCall(text: string): string[] {
  const calls = callsIn(text).map((name) => new RegExp(`\\b${name}\\b`));
  if (calls.length === 0) return [];
  const effects = argumentsOf(text, /\buse(?:Layout)?Effect\(/g);
  return effects.filter((body) => calls.some((call) => call.test(body)));
}

test("no effect calls the server", () => {
  expect(sources.length).toBeGreaterThan(200);
  const found = sources.filter(({ text }) => effectsThatCall(text).length > 0).map(({ name }) => name);
  expect(found).toEqual([]);
});

test("an effect that calls the server is found", () => {
  const head = 'import { ApiError, callApi } from "#app/api/call-api.ts";\n';
  expect(
    effectsThatCall(`${head}useEffect(() => { void callApi("GET a", {}).then(set); }, []);`),
  ).toHaveLength(1);
  expect(effectsThatCall(`${head}useEffect(() => set(null), []);\ncallApi("GET a", {});`)).toEqual([]);
});

test("requests are aborted by the queries, not by hand", () => {
  expect(sources.filter(({ text }) => text.includes("AbortController")).map(({ name }) => name)).toEqual([]);
});

test("changes are sent through one hook", () => {
  const users = sources.filter(({ text }) => /\buseMutation\b/.test(text)).map(({ name }) => name);
  expect(users).toEqual(["api/use-request.ts"]);
});

test("only the two typed calls and a storage's form send requests", () => {
  const senders = sources
    .filter(({ text }) => /import \{[^}]*\brequest\b[^}]*\} from "[^"]*\/transport\.ts"/s.test(text))
    .map(({ name }) => name);
  expect(senders.sort()).toEqual(["api/call-api.ts", "api/call-platform.ts", "api/call-storage-form.ts"]);
});

test("a screen describes no answer of the API a second time", () => {
  const parsing = sources.filter(
    ({ name, text }) =>
      callsIn(text).some((call) => /^call(Api|Platform)$/.test(call)) &&
      /\bz\.(?:array|looseObject|discriminatedUnion)\(/.test(text) &&
      !name.includes("schema"),
  );
  expect(parsing.map(({ name }) => name)).toEqual([]);
});
