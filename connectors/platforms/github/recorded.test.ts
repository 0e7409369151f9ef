import { expect, test } from "vitest";
import { z } from "zod";
import { createHttpClient, type HttpCall } from "#connectors/toolkit/http-client.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { faultsOfReading, type Reading } from "#tests/conformance/read-recorded.ts";
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

/** Settings are kept as they come; only what the record form names is left out. */
const thing = z.looseObject({});
const THROUGH_GIT = "Code, history, branches and tags are read through git.";
const PEOPLE = "Profiles, teams, organisations and followers are not part of a version.";
const AS_APP = "The product signs in as a person and never as the App.";
const NOT_KEPT = "Results of checks, deployments, traffic and stars are not part of a version.";

/** What becomes of each recorded answer; `/R` stands for a repository. */
const READINGS: readonly Reading[] = [
  [/^GET \/user$/, accountSchema],
  [/^GET \/(user\/orgs|users\/[^/]+\/orgs|organizations)$/, organisationsSchema],
  [/^GET \/user\/installations$/, installationsSchema],
  [/^GET \/(orgs\/[^/]+|organizations\/\d+(\/team\/\d+)?|user|users\/[^/]+)\/repos$/, repositoriesSchema],
  [/^(GET|PATCH) \/R$|^POST \/((user|orgs\/[^/]+)\/repos|R\/(forks|generate))$/, repositorySchema],
  [/^GET \/R\/issues$/, z.array(issueSchema)],
  [/^((GET|PATCH) \/R\/issues\/\d+|POST \/R\/issues)$/, issueSchema],
  [
    /^GET \/R\/((issues|pulls)\/\d+\/|pulls\/\d+\/reviews\/\d+\/|commits\/\w+\/)?comments$/,
    z.array(commentSchema),
  ],
  [/^((GET|PATCH) \/R\/(pulls\/)?comments\/\d+|POST \/R\/.+\/(comments|replies))$/, commentSchema],
  [/^GET .+\/reactions$/, restSchema],
  [/^POST .+\/reactions$/, restSchema.element],
  [/^GET \/R\/pulls$/, z.array(pullSchema)],
  [/^((GET|PATCH) \/R\/pulls\/\d+|POST \/R\/pulls)$/, pullSchema],
  [/^GET \/R\/pulls\/\d+\/reviews$/, z.array(reviewSchema)],
  [/^(POST|DELETE) \/R\/pulls\/\d+\/reviews(\/\d+(\/events)?)?$/, reviewSchema],
  [/^(GET \/R|(POST|DELETE) \/R\/issues\/\d+)\/labels(\/removeLabels\w+)?$/, z.array(labelSchema)],
  [/\/R\/labels/, labelSchema],
  [/^GET \/R\/milestones$/, z.array(milestoneSchema)],
  [/\/R\/milestones/, milestoneSchema],
  [/^GET \/R\/releases$/, z.array(releaseSchema)],
  [/\/R\/releases(\/(\d+|latest|tags\/[^/]+))?$/, releaseSchema],
  [/^GET \/R\/releases\/\d+\/assets$/, z.array(assetSchema)],
  [/\/R\/releases\/(\d+\/assets|assets\/\d+)$/, assetSchema],
  [/\/gists(\/[0-9a-f]+)?$/, gistSchema],
  [/^POST \/markdown/, z.string()],
  [/^GET \/R\/(collaborators|hooks|keys|autolinks|branches)$/, z.array(thing)],
  [/\/R\/(hooks|keys|autolinks|actions\/variables)|PUT .+\/protection$/, thing],
  [/\/collaborators\//, "The list of collaborators has their rights."],
  [/\/R\/(topics|subscription)$/, "A restore sets them, and the answer tells nothing else."],
  [
    /\/R\/(actions\/secrets|branches\/main\/protection)\/|\/rules\//,
    "Lists and whole rules are read instead.",
  ],
  [/\/(check-runs|statuses|deployments)(\/|$)|\/R\/(stargazers|subscribers|traffic|codeowners)/, NOT_KEPT],
  [/\/R\/(git|contents|commits|compare|tags|branches|readme|languages|contributors)(\/|$)/, THROUGH_GIT],
  [
    /\/R\/(merges|merge-upstream|pulls\/\d+\/(commits|merge|update-branch))$|\/(gh-pages|legacy\..+)\//,
    THROUGH_GIT,
  ],
  [/\/requested_reviewers$/, "A restore asks nobody for a review."],
  [/\/gists\/\d+\/forks$/, "A fork of a gist is a gist of somebody else."],
  [/\/(teams?|members|memberships|outside_collaborators|security-managers|external-groups?)(\/|$)/, PEOPLE],
  [/\/(users|orgs)(\/[^/]+)?(\/(followers|following|keys|projects|hooks(\/\d+)?))?$|\/user\/emails$/, PEOPLE],
  [/ \/app(\/|$)|\/installation(\/repositories)?$|\/authorizations$|\/marketplace_/, AS_APP],
  [
    / \/(search|notifications|events|meta|rate_limit|users\/[^/]+\/events)?(\/|$)/,
    "No part of the product asks it.",
  ],
  [/\/graphql$/, "The recorded questions are not ours."],
];

function recordings(): Recorded[] {
  return recordedSchema.parse(readContract("github/recorded.json"));
}

function callOf({ request }: Recorded): string {
  const [path = ""] = request.url.split("?");
  return `${request.method} ${path.replace(/^\/(repos\/[^/]+\/[^/]+|repositories\/\d+)/, "/R")}`;
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
  const isHtml = /html/.test(headers.get("content-type") ?? "");
  const call: HttpCall = {
    ...{ method: request.method, path: request.url, about: "the recording" },
    ...(isHtml && { answer: "html" }),
  };
  return client.request(call, schema);
}

test.skipIf(contractsAreAbsent())(
  "every recorded answer is parsed, or named with the reason why not",
  async () => {
    const answers = recordings()
      .filter(({ response: { status } }) => status >= 200 && status < 300 && status !== 204)
      .map((recorded) => ({ call: callOf(recorded), body: recorded.response.body, recorded }));
    const byAnswer = new Map<object, Recorded>(answers.map((one) => [one, one.recorded]));
    expect(
      await faultsOfReading(answers, READINGS, (answer, parser) => ask(byAnswer.get(answer)!, parser)),
    ).toEqual([]);
  },
);

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
