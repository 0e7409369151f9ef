import { expect, test } from "vitest";
import { z } from "zod";
import { createHttpClient, type HttpCall } from "#connectors/toolkit/http-client.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { restSchema } from "./backup/read-reactions.ts";
import {
  accountSchema,
  installationsSchema,
  organisationsSchema,
  repositoriesSchema,
  repositorySchema,
} from "./payloads.ts";
import { gistSchema } from "./read/gist-record.ts";
import {
  assetSchema,
  commentSchema,
  issueSchema,
  labelSchema,
  milestoneSchema,
  pullSchema,
  releaseSchema,
  reviewSchema,
} from "./record-form.ts";

/** Real responses of GitHub, replayed through our parsers. */
const recordedSchema = z.array(
  z.object({
    request: z.object({ method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]), url: z.string() }),
    response: z.object({
      status: z.coerce.number(),
      headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
      body: z.unknown(),
    }),
  }),
);
type Recorded = z.output<typeof recordedSchema>[number];

const NOW = Date.parse("2026-11-21T12:00:00Z");
const anything = z.unknown();

/** The parser for each path. */
const PARSERS: [RegExp, z.ZodType][] = [
  [/^\/user$/, accountSchema],
  [/^\/user\/orgs$/, organisationsSchema],
  [/^\/user\/installations$/, installationsSchema],
  [/^\/(orgs\/[^/]+|organizations\/\d+|user|users\/[^/]+)\/repos$/, repositoriesSchema],
  [/^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)$/, repositorySchema],
  [/^\/rep.+\/issues$/, z.array(issueSchema)],
  [/\/issues\/\d+$/, issueSchema],
  [/\/(issues|pulls)\/\d+\/comments$/, z.array(commentSchema)],
  [/\/pulls\/comments\/\d+$/, commentSchema],
  [/\/reactions$/, restSchema],
  [/\/repos\/[^/]+\/[^/]+\/pulls$/, z.array(pullSchema)],
  [/\/pulls\/\d+$/, pullSchema],
  [/\/pulls\/\d+\/reviews$/, z.array(reviewSchema)],
  [/\/labels$/, z.array(labelSchema)],
  [/\/labels\/[^/]+$/, labelSchema],
  [/\/milestones$/, z.array(milestoneSchema)],
  [/\/milestones\/\d+$/, milestoneSchema],
  [/\/releases$/, z.array(releaseSchema)],
  [/\/releases\/(\d+|latest|tags\/[^/]+)$/, releaseSchema],
  [/\/releases\/\d+\/assets$/, z.array(assetSchema)],
  [/^\/gists\/[0-9a-f]+$/, gistSchema],
];

function recordings(): Recorded[] {
  return recordedSchema.parse(readContract("github/recorded.json"));
}

function parserOf({ request }: Recorded): z.ZodType | null {
  const path = request.url.split("?")[0] ?? "";
  if (request.method === "POST" && path.endsWith("/repos")) return repositorySchema;
  if (request.method !== "GET" && !/^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)$/.test(path)) return null;
  return PARSERS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

/** Some headers contain the recorder's templates for times a number of seconds ahead. */
function substitute(value: string): string {
  const template = /offset='(\d+) seconds'.*format='([^']+)'/.exec(value);
  if (template === null) return value;
  const at = NOW + Number(template[1]) * 1000;
  return template[2] === "unix" ? String(at / 1000) : new Date(at).toUTCString();
}

function ask({ request, response }: Recorded, schema: z.ZodType): Promise<unknown> {
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  for (const [name, value] of Object.entries(response.headers))
    headers.set(name, substitute([value].flat().join(", ")));
  const hasBody = ![204, 304].includes(response.status);
  const text = typeof response.body === "string" ? response.body : JSON.stringify(response.body);
  const client = createHttpClient(
    {
      fetch: async () => new Response(hasBody ? text : null, { status: response.status, headers }),
      clock: { now: () => NOW },
    },
    { platform: "GitHub", baseUrl: "https://api.github.test", headers: {} },
  );
  const call: HttpCall = { method: request.method, path: request.url, about: "the recording" };
  return client.request(call, schema);
}

test.skipIf(contractsAreAbsent())("every recorded response of a used endpoint is parsed", async () => {
  const read = new Map<string, number>();
  for (const recorded of recordings()) {
    const parser = parserOf(recorded);
    const { status } = recorded.response;
    if (parser === null || recorded.request.method === "DELETE" || status < 200 || status > 299) continue;
    await ask(recorded, parser);
    const key = recorded.request.method;
    read.set(key, (read.get(key) ?? 0) + 1);
  }
  expect(Object.fromEntries(read)).toEqual({ GET: 61, POST: 4, PATCH: 2 });
});

test.skipIf(contractsAreAbsent())("every recorded failure has the right error kind", async () => {
  const kinds: Record<string, Set<string>> = {};
  for (const recorded of recordings()) {
    if (recorded.response.status < 400) continue;
    const failure = await failureOf(ask(recorded, anything));
    kinds[recorded.response.status] ??= new Set();
    kinds[recorded.response.status]?.add(failure.kind);
    if (failure.kind === "rate-limited") {
      expect(failure.retryAt).toBeGreaterThan(NOW);
      expect(failure.retryAt).toBeLessThanOrEqual(NOW + 60_000);
    }
  }
  expect(kinds).toEqual({
    400: new Set(["unsupported"]),
    401: new Set(["unauthorized"]),
    403: new Set(["rate-limited", "forbidden"]),
    404: new Set(["gone"]),
    422: new Set(["unsupported"]),
    429: new Set(["rate-limited"]),
    503: new Set(["unavailable"]),
  });
});

test("unknown fields, missing optional fields and numeric ids are accepted", () => {
  const parsed = repositorySchema.parse({
    id: 12345,
    name: "a",
    full_name: "o/a",
    private: true,
    html_url: "https://github.com/o/a",
    something_of_tomorrow: { deep: true },
  });
  expect(parsed).toMatchObject({ id: "12345", description: null, topics: [], size: null, owner: null });
  expect(parsed).not.toHaveProperty("something_of_tomorrow");
});
