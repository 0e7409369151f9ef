import { expect, test } from "vitest";
import { callS3, type S3Call } from "./client.ts";
import { s3Session } from "./test-world.ts";

/** Sends a call through a fetch that only records it, with the keys and the time of Amazon's examples. */
async function sent(call: S3Call, addressing: Record<string, string> = {}) {
  const requests: { url: string; headers: Headers }[] = [];
  const session = s3Session("https://s3.amazonaws.com", {
    bucketName: "examplebucket",
    region: "us-east-1",
    accessKeyID: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  });
  await callS3(
    {
      ...session,
      config: { ...session.config, S3_ADDRESSING: "virtual", ...addressing },
      clock: { now: () => Date.parse("2013-05-24T00:00:00Z") },
      fetch: async (url, init) => {
        requests.push({ url, headers: new Headers(init?.headers) });
        return new Response("");
      },
    },
    call,
  );
  const [request] = requests;
  if (request === undefined || requests.length > 1) throw new Error(`${requests.length} requests`);
  return { url: request.url, authorization: request.headers.get("authorization") };
}

/** Amazon S3 API Reference, "Signature Calculations for the Authorization Header: … Single Chunk", four examples. */
test.each<[string, S3Call, string, string, string]>([
  [
    "an object is read",
    { method: "GET", key: "test.txt", headers: { range: "bytes=0-9" } },
    "/test.txt",
    "host;range;x-amz-content-sha256;x-amz-date",
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  ],
  [
    "an object is written",
    {
      method: "PUT",
      key: "test$file.text",
      headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      body: new TextEncoder().encode("Welcome to Amazon S3."),
    },
    "/test%24file.text",
    "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  [
    "a rule of the bucket is read",
    { method: "GET", key: null, query: [["lifecycle", ""]] },
    "/?lifecycle=",
    "host;x-amz-content-sha256;x-amz-date",
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ],
  [
    "a bucket is listed",
    {
      method: "GET",
      key: null,
      query: [
        ["max-keys", "2"],
        ["prefix", "J"],
      ],
    },
    "/?max-keys=2&prefix=J",
    "host;x-amz-content-sha256;x-amz-date",
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ],
])("the signature equals Amazon's when %s", async (_what, call, target, names, signature) => {
  expect(await sent(call)).toEqual({
    url: `https://examplebucket.s3.amazonaws.com${target}`,
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  });
});

test("a name is escaped by S3's rules, in path and query", async () => {
  const name = "Holdfast/ü+(1)*'!%2F 漢.zip";
  const { url } = await sent(
    { method: "GET", key: name, query: [["prefix", name]] },
    { S3_ADDRESSING: "path" },
  );
  const escaped = "Holdfast/%C3%BC%2B%281%29%2A%27%21%252F%20%E6%BC%A2.zip";
  expect(url).toBe(`https://s3.amazonaws.com/examplebucket/${escaped}?prefix=${escaped.replace("/", "%2F")}`);
});
