import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { describeStorageConnector } from "#tests/conformance/describe-storage-connector.ts";
import { connector } from "./connector.ts";
import { descriptor } from "./descriptor.ts";
import { openS3World, s3Session } from "./test-world.ts";

const LARGE = 16 * 1024 * 1024 + 17;

describeStorageConnector("s3", {
  connector,
  open: () => openS3World(),
  largeBytes: LARGE,
  uploads: { method: "PUT" },
});

const address = { path: "GitHub/api/one.zip", key: "snp_1" };

async function put(session: StorageSession, sizeBytes = 64): Promise<unknown> {
  const read = async function* ({ length }: { length: number }) {
    yield new Uint8Array(length).fill(7);
  };
  const events = connector.put(session, {
    ...address,
    sizeBytes,
    mediaType: "application/zip",
    cursor: null,
    read,
  });
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
  }
}

const failureOf = async (promise: Promise<unknown>): Promise<ConnectorError> => {
  const error = await promise.catch((cause: unknown) => cause);
  if (!(error instanceof ConnectorError)) throw error;
  return error;
};

test("the form offers 34 AWS regions, each once, including the default", () => {
  const region = descriptor.connects.fields.find(({ name }) => name === "region");
  const values = (region && "options" in region ? region.options : []).map(({ value }) => value);
  expect(values).toHaveLength(34);
  expect(new Set(values).size).toBe(34);
  expect(values).toContain("us-west-2");
});

test("a bucket in another region is reported with both regions, for each form of S3's error", async () => {
  const world = await openS3World();
  for (const regionAnswer of ["permanent-redirect", "header-malformed"] as const) {
    world.s3.world.settings.regionAnswer = regionAnswer;
    const session = world.session({ region: "eu-central-1" });
    for (const error of [await failureOf(put(session)), await failureOf(connector.find(session, address))]) {
      expect(error.kind).toBe("unsupported");
      expect(error.message).toContain("lies in us-west-2, not in eu-central-1");
    }
  }
  await world.close();
});

test("a wrong secret and an unknown key are unauthorized, a key without permission is forbidden", async () => {
  const world = await openS3World();
  const wrong = await failureOf(put(world.session({ secretAccessKey: "another/secret/of/this/length" })));
  expect([wrong.kind, wrong.message.includes("SignatureDoesNotMatch")]).toEqual(["unauthorized", true]);
  expect((await failureOf(put(world.session({ accessKeyID: "AKIAUNKNOWN000000001" })))).kind).toBe(
    "unauthorized",
  );
  world.s3.world.state.keys[0]!.may = ["read", "list"];
  const denied = await failureOf(put(world.session()));
  expect([denied.kind, denied.message.includes("meridian-backups")]).toEqual(["forbidden", true]);
  await world.close();
});

test("keys without permission to list uploads can still write large copies", async () => {
  const world = await openS3World();
  world.s3.world.state.keys[0]!.may = ["read", "write", "delete"];
  await put(world.session(), LARGE);
  expect((await world.files()).map(({ bytes }) => bytes.length)).toEqual([LARGE]);
  await world.close();
});

test("an upload aborted by the customer's lifecycle rules is restarted", async () => {
  const world = await openS3World();
  const bytes = new Uint8Array(LARGE).fill(7);
  const order = {
    ...address,
    sizeBytes: LARGE,
    mediaType: "application/zip",
    read: async function* ({ offset, length }: { offset: number; length: number }) {
      yield bytes.subarray(offset, offset + length);
    },
  };
  const first = connector.put(world.session(), { ...order, cursor: null });
  let step = await first.next();
  while (!step.done && step.value.type !== "checkpoint") step = await first.next();
  if (step.done || step.value.type !== "checkpoint") throw new Error("there is no checkpoint");
  world.s3.world.state.buckets[0]!.uploads = [];
  const second = connector.put(world.session(), { ...order, cursor: step.value.cursor });
  let last = await second.next();
  while (!last.done) last = await second.next();
  expect(last.value.sizeBytes).toBe(LARGE);
  expect(await world.files()).toHaveLength(1);
  await world.close();
});

test("an error inside a 200 of the last call is a temporary failure, not a copy", async () => {
  const world = await openS3World();
  world.simulator.faults.add({
    match: { method: "POST", path: "uploadId=" },
    times: 100,
    action: {
      kind: "answer",
      status: 200,
      body: '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>',
    },
  });
  expect((await failureOf(put(world.session(), LARGE))).kind).toBe("unavailable");
  expect(await world.files()).toEqual([]);
  await world.close();
});

test("the bucket is in the host name at AWS, and in the path if it contains dots or the server requires it", async () => {
  const asked: string[] = [];
  const of = (bucketName: string, config: Record<string, string>): StorageSession => ({
    ...s3Session("http://unused", {
      accessKeyID: "AKIA0123456789AB",
      secretAccessKey: "x".repeat(20),
      region: "eu-west-1",
      bucketName,
    }),
    config,
    fetch: async (url) => {
      asked.push(url);
      return new Response(null, { status: 200, headers: { etag: '"1"' } });
    },
  });
  const aws = { S3_API_URL: "https://s3.{region}.amazonaws.com", S3_ADDRESSING: "virtual" };
  await put(of("my-bucket", aws));
  await put(of("my.bucket", aws));
  await put(of("my-bucket", { S3_API_URL: "https://minio.example:9000", S3_ADDRESSING: "path" }));
  expect(asked).toEqual([
    "https://my-bucket.s3.eu-west-1.amazonaws.com/Holdfast/GitHub/api/one.zip",
    "https://s3.eu-west-1.amazonaws.com/my.bucket/Holdfast/GitHub/api/one.zip",
    "https://minio.example:9000/my-bucket/Holdfast/GitHub/api/one.zip",
  ]);
});

test("the simulator refuses requests older than 15 minutes", async () => {
  const world = await openS3World();
  const late = { ...world.session(), clock: { now: () => Date.now() - 20 * 60_000 } };
  expect((await failureOf(put(late))).message).toContain("RequestTimeTooSkewed");
  await world.close();
});

test("a server's message is shown only if it is one of S3's error codes", async () => {
  const world = await openS3World();
  const body =
    "<Error><Code>&lt;b&gt;send your keys to evil.example&lt;/b&gt;</Code><Message>x</Message></Error>";
  world.simulator.faults.add({
    match: { method: "PUT" },
    times: 9,
    action: { kind: "answer", status: 403, body },
  });
  const error = await failureOf(put(world.session()));
  expect([error.kind, error.message.includes("evil")]).toEqual(["forbidden", false]);
  await world.close();
});
