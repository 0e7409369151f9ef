import { expect, test } from "vitest";
import { z } from "zod";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { connector } from "./connector.ts";
import type { S3Exchange } from "./simulator/s3-simulator.ts";
import { openS3World } from "./test-world.ts";

/** Checks our requests and the simulator's responses against Amazon's own model of S3. */

const memberSchema = z.object({
  shape: z.string(),
  location: z.string().optional(),
  locationName: z.string().optional(),
});
const shapeSchema = z.object({
  type: z.string(),
  required: z.array(z.string()).default([]),
  members: z.record(z.string(), memberSchema).default({}),
  member: memberSchema.optional(),
  flattened: z.boolean().default(false),
});
const operationSchema = z.object({
  http: z.object({ method: z.string(), requestUri: z.string(), responseCode: z.number().default(200) }),
  input: z.object({ shape: z.string() }).optional(),
  output: z.object({ shape: z.string() }).optional(),
});
const modelSchema = z.object({
  operations: z.record(z.string(), operationSchema),
  shapes: z.record(z.string(), shapeSchema),
});
type Model = z.output<typeof modelSchema>;

const areAbsent = contractsAreAbsent();

/** Headers of every request: those of HTTP and of the signature. */
const COMMON =
  /^(host|connection|accept|accept-.*|user-agent|content-length|sec-fetch-.*|x-amz-date|x-amz-content-sha256|authorization|transfer-encoding)$/;
const META = "x-amz-meta-";

/** The operation of an exchange, by its distinctive parts. */
function operationOf({ method, url }: S3Exchange): string {
  const { pathname, searchParams } = new URL(url, "http://s3");
  const isBucket = pathname.split("/").length === 2;
  if (isBucket) return method === "HEAD" ? "HeadBucket" : "ListMultipartUploads";
  if (searchParams.has("uploads")) return "CreateMultipartUpload";
  if (searchParams.has("uploadId")) {
    return {
      PUT: "UploadPart",
      GET: "ListParts",
      POST: "CompleteMultipartUpload",
      DELETE: "AbortMultipartUpload",
    }[method]!;
  }
  return { PUT: "PutObject", HEAD: "HeadObject", DELETE: "DeleteObject", GET: "GetObject" }[method]!;
}

function faultsOf(model: Model, exchange: S3Exchange): string[] {
  const name = operationOf(exchange);
  const operation = model.operations[name];
  if (!operation) return [`${name} is no operation`];
  const input = model.shapes[operation.input?.shape ?? ""];
  if (!input) return [`${name} takes nothing`];
  const { searchParams } = new URL(exchange.url, "http://s3");
  const named = (location: string) =>
    Object.entries(input.members).filter(([, member]) => member.location === location);
  const queries = named("querystring").map(([key, { locationName }]) => locationName ?? key);
  const headers = named("header").map(([key, { locationName }]) => (locationName ?? key).toLowerCase());
  const faults: string[] = [];
  if (operation.http.method !== exchange.method) faults.push(`${name} by ${exchange.method}`);
  for (const key of searchParams.keys()) {
    if (!queries.includes(key) && !operation.http.requestUri.includes(`?${key}`))
      faults.push(`${name} knows no query ${key}`);
  }
  for (const key of Object.keys(exchange.requestHeaders)) {
    const isMeta = key.startsWith(META) && named("headers").length > 0;
    const isXml = key === "content-type" && name === "CompleteMultipartUpload";
    if (!COMMON.test(key) && !headers.includes(key) && !isMeta && !isXml)
      faults.push(`${name} knows no header ${key}`);
  }
  for (const key of input.required) {
    const { location, locationName = key } = input.members[key]!;
    if (location === "querystring" && !searchParams.has(locationName))
      faults.push(`${name} lacks ${locationName}`);
  }
  if (name === "CompleteMultipartUpload") {
    faults.push(...bodyFaults(model, "CompletedMultipartUpload", elementOf(exchange.requestBody), name));
  }
  if (exchange.status >= 300) {
    const isError =
      exchange.method === "HEAD" || /<Error><Code>[A-Za-z]+<\/Code><Message>/.test(exchange.body);
    return isError ? faults : [...faults, `${name} fails without a reason`];
  }
  if (exchange.status !== operation.http.responseCode) faults.push(`${name} answers ${exchange.status}`);
  if (!operation.output || exchange.body === "") return faults;
  return [...faults, ...bodyFaults(model, operation.output.shape, elementOf(exchange.body), name)];
}

type Element = { name: string; text: string; children: Element[] };

function bodyFaults(model: Model, shapeName: string, element: Element, at: string): string[] {
  const shape = model.shapes[shapeName]!;
  if (shape.type !== "structure") return scalarFaults(shape.type, element.text, at);
  const members = new Map(
    Object.entries(shape.members)
      .filter(([, { location }]) => location === undefined)
      .map(([key, member]) => [member.locationName ?? key, member.shape]),
  );
  return element.children.flatMap((child) => {
    const childShape = members.get(child.name);
    if (childShape === undefined) return [`${at} has no ${child.name}`];
    const { type, member } = model.shapes[childShape]!;
    const next = type === "list" ? (member?.shape ?? "") : childShape;
    return bodyFaults(model, next, child, `${at}.${child.name}`);
  });
}

function scalarFaults(type: string, text: string, at: string): string[] {
  const forms: Record<string, RegExp> = {
    integer: /^[0-9]+$/,
    long: /^[0-9]+$/,
    boolean: /^(true|false)$/,
    timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  };
  return (forms[type] ?? /^/).test(text) ? [] : [`${at} is no ${type}: ${text}`];
}

/** Parses a document and returns its root element; ignores attributes. */
function elementOf(xml: string): Element {
  const stack: Element[] = [{ name: "", text: "", children: [] }];
  for (const [, close, name, text = ""] of xml.matchAll(/<(\/?)([A-Za-z]+)[^>]*>([^<]*)/g)) {
    if (close === "/") stack.pop();
    else {
      const element = { name: name!, text, children: [] };
      stack.at(-1)!.children.push(element);
      stack.push(element);
    }
  }
  const root = stack[0]!.children[0];
  if (!root) throw new Error(`no XML: ${xml.slice(0, 100)}`);
  return root;
}

async function converse(session: StorageSession, sizeBytes: number, stopsEarly: boolean): Promise<void> {
  const address = { path: `GitHub/api/${sizeBytes}.zip`, key: "snp_1" };
  const read = async function* ({ length }: { length: number }) {
    yield new Uint8Array(length).fill(3);
  };
  const order = { ...address, sizeBytes, mediaType: "application/zip", cursor: null, read };
  const put = connector.put(session, order);
  for (;;) {
    const step = await put.next();
    if (step.done) {
      await connector.find(session, address);
      await connector.remove(session, step.value);
      await connector.find(session, address);
      return;
    }
    if (step.value.type === "checkpoint" && stopsEarly) {
      await connector.abandon(session, { ...address, cursor: step.value.cursor });
      return;
    }
  }
}

test.skipIf(areAbsent)(
  "every request and every response of the simulator conform to Amazon's model",
  async () => {
    const model = modelSchema.parse(readContract("s3/s3-model.subset.json"));
    const exchanges: S3Exchange[] = [];
    const world = await openS3World({ onAnswer: (exchange) => exchanges.push(exchange) });
    await converse(world.session(), 1_000, false);
    await converse(world.session(), 20 * 1024 * 1024, false);
    await converse(world.session(), 20 * 1024 * 1024, true);
    await converse(world.session({ region: "eu-west-1" }), 1_000, false).catch(() => undefined);
    await converse(world.session({ bucketName: "no-such-bucket" }), 1_000, false).catch(() => undefined);
    await world.close();
    expect(exchanges.flatMap((exchange) => faultsOf(model, exchange))).toEqual([]);
    expect(new Set(exchanges.map(operationOf))).toEqual(
      new Set([
        "PutObject",
        "HeadObject",
        "DeleteObject",
        "HeadBucket",
        "ListMultipartUploads",
        "CreateMultipartUpload",
        "UploadPart",
        "ListParts",
        "CompleteMultipartUpload",
        "AbortMultipartUpload",
      ]),
    );
  },
);

test.skipIf(areAbsent)("a planted query parameter, header and element are detected", () => {
  const model = modelSchema.parse(readContract("s3/s3-model.subset.json"));
  const exchange: S3Exchange = {
    method: "GET",
    url: "/bucket/key?uploadId=1&colour=red",
    requestHeaders: { host: "s3", "x-amz-colour": "red" },
    requestBody: "",
    status: 200,
    headers: {},
    body: "<ListPartsResult><Part><PartNumber>one</PartNumber><Colour>red</Colour></Part></ListPartsResult>",
  };
  expect(faultsOf(model, exchange)).toEqual([
    "ListParts knows no query colour",
    "ListParts knows no header x-amz-colour",
    "ListParts.Part.PartNumber is no integer: one",
    "ListParts.Part has no Colour",
  ]);
});
