import { expect, test } from "vitest";
import { z } from "zod";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { encodeQuery, sign } from "./sign.ts";

const caseSchema = z.object({
  name: z.string(),
  context: z.object({
    credentials: z.object({
      access_key_id: z.string(),
      secret_access_key: z.string(),
      token: z.string().optional(),
    }),
    expiration_in_seconds: z.number(),
    normalize: z.boolean(),
    region: z.string(),
    service: z.string(),
    sign_body: z.boolean(),
    timestamp: z.string(),
    omit_session_token: z.boolean().optional(),
  }),
  request: z.string(),
  header_canonical_request: z.string(),
  header_string_to_sign: z.string(),
  header_signature: z.string(),
  query_canonical_request: z.string(),
  query_string_to_sign: z.string(),
  query_signature: z.string(),
});
type Case = z.output<typeof caseSchema>;

const areAbsent = contractsAreAbsent();
const cases = areAbsent
  ? []
  : z.object({ cases: z.array(caseSchema) }).parse(readContract("s3/sigv4-vectors.json")).cases;

test.skipIf(areAbsent)("AWS's own signatures in the header, every step of them", async () => {
  expect(cases).toHaveLength(38);
  for (const each of cases) {
    const { request, key } = await prepare(each);
    const { token } = each.context.credentials;
    const headers: [string, string][] = [...request.headers, ["X-Amz-Date", stamp(each)]];
    if (token !== undefined && !each.context.omit_session_token)
      headers.push(["X-Amz-Security-Token", token]);
    if (each.context.sign_body) headers.push(["x-amz-content-sha256", request.payloadHash]);
    const made = await sign({ ...request, headers }, key);
    expect(made.canonical, each.name).toBe(each.header_canonical_request);
    expect(made.stringToSign, each.name).toBe(each.header_string_to_sign);
    expect(made.signature, each.name).toBe(each.header_signature);
  }
});

test.skipIf(areAbsent)("AWS's own signatures in the query, every step of them", async () => {
  for (const each of cases) {
    const { request, key } = await prepare(each);
    const { token } = each.context.credentials;
    const names = [...new Set(request.headers.map(([name]) => name.toLowerCase()))].sort().join(";");
    const scope = `${stamp(each).slice(0, 8)}/${key.region}/${key.service}/aws4_request`;
    const query: [string, string][] = [
      ...request.query,
      ["X-Amz-Algorithm", "AWS4-HMAC-SHA256"],
      ["X-Amz-Credential", `${key.accessKeyId}/${scope}`],
      ["X-Amz-Date", stamp(each)],
      ["X-Amz-Expires", String(each.context.expiration_in_seconds)],
      ["X-Amz-SignedHeaders", names],
    ];
    if (token !== undefined && !each.context.omit_session_token) query.push(["X-Amz-Security-Token", token]);
    const made = await sign({ ...request, query }, key);
    expect(made.canonical, each.name).toBe(each.query_canonical_request);
    expect(made.stringToSign, each.name).toBe(each.query_string_to_sign);
    expect(made.signature, each.name).toBe(each.query_signature);
  }
});

test("a name of ours is escaped as S3 escapes it", () => {
  expect(
    encodeQuery([
      ["b", "ü (1)*'!"],
      ["a", ""],
    ]),
  ).toBe("a=&b=%C3%BC%20%281%29%2A%27%21");
});

const stamp = ({ context }: Case) => context.timestamp.replace(/[-:]/g, "");

/** Reads a request as it stands on the wire. AWS's general signing tidies paths; S3's does not, so the test does it. */
async function prepare({ request, context }: Case) {
  const [head = "", ...rest] = request.split("\n\n");
  const [line = "", ...fields] = head.split("\n");
  const method = line.slice(0, line.indexOf(" "));
  const target = line.slice(line.indexOf(" ") + 1, line.lastIndexOf(" "));
  const [rawPath = "", rawQuery = ""] = target.split(/\?(.*)/s);
  const headers: [string, string][] = [];
  for (const field of fields.filter((text) => text !== "")) {
    // A line that begins with a blank goes on with the one before.
    if (/^\s/.test(field)) headers.at(-1)![1] += ` ${field.trim()}`;
    else headers.push([field.slice(0, field.indexOf(":")), field.slice(field.indexOf(":") + 1)]);
  }
  const query = rawQuery
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return [decodeURIComponent(name), decodeURIComponent(value)];
    });
  return {
    request: {
      method,
      path: context.normalize ? tidy(rawPath) : rawPath,
      query,
      headers,
      payloadHash: await sha256Hex(rest.join("\n\n")),
    },
    key: {
      accessKeyId: context.credentials.access_key_id,
      secretAccessKey: context.credentials.secret_access_key,
      region: context.region,
      service: context.service,
      at: Date.parse(context.timestamp),
    },
  };
}

/** RFC 3986 section 5.2.4, and one slash for many. */
function tidy(rawPath: string): string {
  const parts: string[] = [];
  for (const part of rawPath.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const end = parts.length > 0 && /\/\.{0,2}$/.test(rawPath) ? "/" : "";
  return `/${parts.join("/")}${end}`;
}
