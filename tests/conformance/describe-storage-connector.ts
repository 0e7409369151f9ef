import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConnectorError, type ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import type {
  PutOrder,
  StorageConnector,
  StorageSession,
  StoredFile,
} from "#connectors/contract/storage-connector.ts";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import type { SimulatorServer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { Json } from "#core/kernel/canonical-json.ts";

/** A storage that the suite can fill, break and inspect. Fresh for every test. */
export type StorageWorld = {
  simulator: Pick<SimulatorServer, "faults" | "log">;
  /** A session of a customer who has connected the storage. */
  session(): StorageSession;
  /** Every complete file below the Holdfast folder, by its path there. */
  files(): Promise<{ path: string; bytes: Uint8Array }[]>;
  /** Unfinished uploads that the customer would pay for. 0 where the storage has none. */
  unfinished(): Promise<number>;
  /** Replaces our file with another one. */
  replace(path: string): Promise<void>;
  /** Revokes the grant or the keys, as the customer could. */
  revoke(): Promise<void>;
  /**
   * Deletes the parent of the Holdfast folder. Null = impossible, because the connector simply creates the folder
   * again.
   */
  removeHome: (() => Promise<void>) | null;
  /** Leaves room for this many bytes. */
  leaveRoom(bytes: number): Promise<void>;
  /** The storage's own "too many requests" response, with a wait in seconds. */
  tooMany(seconds: number): FaultOrder["action"];
  /** Texts that no error may contain. */
  secrets: readonly string[];
  close(): Promise<void>;
};

/** What the suite needs to know about a storage. */
export type StorageSuite = {
  connector: StorageConnector;
  open(): Promise<StorageWorld>;
  /** A size that needs at least three parts. */
  largeBytes: number;
  /** Path and method of the request that carries bytes, for faults. */
  uploads: FaultOrder["match"];
};

/** More than one part of any storage, less than an isolate may hold. */
const MOST_AT_ONCE = 64 * 1024 * 1024;
const PATH = "GitHub/octo-org/api gateway (v2)/2026-11-22 ünïcode.zip";
const KEY = "snp_0a1b2c3d4e5f";

/** The conformance suite of storages: what the engine relies on with every storage. */
export function describeStorageConnector(name: string, suite: StorageSuite): void {
  const { connector } = suite;
  let world: StorageWorld;
  beforeEach(async () => {
    world = await suite.open();
  });
  afterEach(() => world.close());

  const only = async () => {
    const files = await world.files();
    expect(files.map(({ path }) => path)).toEqual([PATH]);
    return files[0]!.bytes;
  };

  test(`${name}: a small file is written unchanged, found and removed`, async () => {
    const bytes = someBytes(1_234);
    expect(await connector.find(world.session(), { path: PATH, key: KEY })).toBeNull();
    const stored = await putAll(connector, world.session(), orderOf(bytes));
    expect(stored).toMatchObject({ path: PATH, key: KEY, sizeBytes: 1_234 });
    expect(hash(await only())).toBe(hash(bytes));
    expect(await connector.find(world.session(), { path: PATH, key: KEY })).toEqual(stored);
    expect(await connector.remove(world.session(), stored)).toBe("removed");
    expect(await world.files()).toEqual([]);
    expect(await connector.remove(world.session(), stored)).toBe("absent");
    expect(await connector.find(world.session(), { path: PATH, key: KEY })).toBeNull();
  });

  test(`${name}: a large file is sent in parts of limited size with progress, and is visible only when complete`, async () => {
    const bytes = someBytes(suite.largeBytes);
    const order = orderOf(bytes);
    const told: number[] = [];
    let checkpoints = 0;
    const put = connector.put(world.session(), order);
    let step = await put.next();
    for (; !step.done; step = await put.next()) {
      if (step.value.type === "progress") told.push(step.value.bytes);
      else checkpoints++;
      if (checkpoints === 1) expect(await world.files()).toEqual([]);
    }
    expect(step.value.sizeBytes).toBe(bytes.length);
    expect(checkpoints).toBeGreaterThanOrEqual(2);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(told.at(-1)).toBe(bytes.length);
    expect(Math.max(...order.asked.map(({ length }) => length))).toBeLessThanOrEqual(MOST_AT_ONCE);
    expect(hash(await only())).toBe(hash(bytes));
    expect(await world.unfinished()).toBe(0);
  });

  test(`${name}: a put resumes from every checkpoint without resending stored parts`, async () => {
    const bytes = someBytes(suite.largeBytes);
    let cursor: Json | null = null;
    let slices = 0;
    let stored: StoredFile | null = null;
    while (stored === null && slices < 50) {
      slices++;
      const order = orderOf(bytes, cursor);
      const part = await putUntilCheckpoint(connector, world.session(), order);
      if (cursor !== null && order.asked.length > 0) expect(order.asked[0]!.offset).toBeGreaterThan(0);
      if (part.kind === "stored") stored = part.file;
      // Cursors are stored as JSON in the database.
      else cursor = JSON.parse(JSON.stringify(part.cursor)) as Json;
    }
    expect(slices).toBeGreaterThan(2);
    expect(hash(await only())).toBe(hash(bytes));
    expect(await connector.find(world.session(), { path: PATH, key: KEY })).toEqual(stored);
    expect(await world.unfinished()).toBe(0);
  });

  test(`${name}: writing the same file again leaves one file`, async () => {
    for (const size of [900, 900, suite.largeBytes, suite.largeBytes]) {
      const bytes = someBytes(size);
      await putAll(connector, world.session(), orderOf(bytes));
      expect(hash(await only())).toBe(hash(bytes));
    }
    expect(await world.unfinished()).toBe(0);
  });

  test(`${name}: a forgotten and restarted put leaves one file and no paid remains`, async () => {
    const bytes = someBytes(suite.largeBytes);
    await putUntilCheckpoint(connector, world.session(), orderOf(bytes));
    await putAll(connector, world.session(), orderOf(bytes));
    expect(hash(await only())).toBe(hash(bytes));
    expect(await world.unfinished()).toBe(0);
  });

  test(`${name}: two concurrent writers of a file leave one, and the first returned mark stays valid`, async () => {
    const bytes = someBytes(suite.largeBytes);
    const late = connector.put(world.session(), orderOf(bytes));
    for (let step = await late.next(); !step.done; step = await late.next()) {
      if (step.value.type === "checkpoint") break;
    }
    const first = await putAll(connector, world.session(), orderOf(bytes));
    let step = await late.next();
    while (!step.done) step = await late.next();
    expect(step.value.mark).toBe(first.mark);
    expect(hash(await only())).toBe(hash(bytes));
    expect(await connector.find(world.session(), first)).toEqual(first);
    expect(await connector.remove(world.session(), first)).toBe("removed");
    expect(await world.unfinished()).toBe(0);
  });

  test(`${name}: a cancelled put leaves nothing`, async () => {
    const begun = await putUntilCheckpoint(connector, world.session(), orderOf(someBytes(suite.largeBytes)));
    if (begun.kind === "stored") throw new Error("a large file has no checkpoint");
    const order = { path: PATH, key: KEY, cursor: begun.cursor };
    await connector.abandon?.(world.session(), order);
    await connector.abandon?.(world.session(), order);
    expect(await world.files()).toEqual([]);
    if (connector.abandon) expect(await world.unfinished()).toBe(0);
  });

  test(`${name}: a foreign file in place of ours is left unchanged`, async () => {
    const stored = await putAll(connector, world.session(), orderOf(someBytes(500)));
    await world.replace(PATH);
    expect(await connector.remove(world.session(), stored)).not.toBe("removed");
    expect((await world.files()).map(({ path }) => path)).toEqual([PATH]);
  });

  for (const [what, action] of [
    ["answers 500", { kind: "answer", status: 500 }],
    ["answers 503 and says nothing", { kind: "answer", status: 503 }],
    ["breaks the connection", { kind: "drop" }],
    ["loses its answer", { kind: "drop", handled: true }],
  ] as const satisfies readonly (readonly [string, FaultOrder["action"]])[]) {
    test(`${name}: a storage that ${what} in the middle of a file ends with the complete file`, async () => {
      const bytes = someBytes(suite.largeBytes);
      world.simulator.faults.add({ match: suite.uploads, skip: 1, times: 1, action });
      await putStubbornly(connector, world.session, bytes);
      expect(hash(await only())).toBe(hash(bytes));
      expect(await world.unfinished()).toBe(0);
    });
  }

  const interruption = fc.oneof(
    fc.constant({ kind: "checkpoint" as const }),
    fc.record({
      kind: fc.constant("fault" as const),
      skip: fc.integer({ min: 0, max: 3 }),
      times: fc.integer({ min: 1, max: 6 }),
      action: fc.constantFrom<FaultOrder["action"]>(
        { kind: "answer", status: 500 },
        { kind: "answer", status: 503 },
        { kind: "drop" },
        { kind: "drop", handled: true },
      ),
    }),
  );

  test(`${name}: after any number of interruptions a file is complete and exists once`, async () => {
    const sizes = fc.integer({ min: Math.floor(suite.largeBytes / 2), max: suite.largeBytes });
    const interruptions = fc.array(interruption, { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(sizes, interruptions, async (size, planned) => {
      const bytes = someBytes(size);
      await putInterrupted(connector, world, bytes, planned);
      expect(hash(await only())).toBe(hash(bytes));
      expect(await world.unfinished()).toBe(0);
    });
    await fc.assert(property, { numRuns: 5 });
  }, 120_000);

  test(`${name}: too many requests are rate-limited with the time of the next attempt`, async () => {
    world.simulator.faults.add({ match: suite.uploads, times: 100, action: world.tooMany(120) });
    const session = world.session();
    const error = await failureOf(putAll(connector, session, orderOf(someBytes(700))));
    expect(error.kind).toBe("rate-limited");
    expect(error.retryAt! - session.clock.now()).toBeGreaterThan(60_000);
    expect(error.retryAt! - session.clock.now()).toBeLessThan(180_000);
  });

  const expectTrouble = async (kind: ConnectorErrorKind, size: number) => {
    const error = await failureOf(putAll(connector, world.session(), orderOf(someBytes(size))));
    expect(error.kind).toBe(kind);
    expect(error.message.length).toBeGreaterThan(20);
    for (const secret of world.secrets) expect(describeError(error)).not.toContain(secret);
  };

  test(`${name}: a revoked grant is unauthorized, and no error contains a secret`, async () => {
    await world.revoke();
    await expectTrouble("unauthorized", 700);
  });

  test(`${name}: a full storage is full, for a small file and in the middle of a large one`, async () => {
    await world.leaveRoom(100);
    await expectTrouble("full", 700);
    await world.leaveRoom(Math.floor(suite.largeBytes / 2));
    await expectTrouble("full", suite.largeBytes);
    expect(await world.files()).toEqual([]);
  });

  test(`${name}: a deleted root folder is gone`, async () => {
    if (!world.removeHome) return;
    const stored = await putAll(connector, world.session(), orderOf(someBytes(500)));
    await world.removeHome();
    await expectTrouble("gone", 700);
    const { session } = world;
    expect((await failureOf(connector.remove(session(), stored))).kind).toBe("gone");
    expect((await failureOf(connector.find(session(), stored))).kind).toBe("gone");
  });
}

type TestOrder = PutOrder & { asked: { offset: number; length: number }[] };

function orderOf(bytes: Uint8Array, cursor: Json | null = null): TestOrder {
  const asked: TestOrder["asked"] = [];
  return {
    path: PATH,
    key: KEY,
    sizeBytes: bytes.length,
    mediaType: "application/zip",
    cursor,
    asked,
    read: async function* ({ offset, length }) {
      asked.push({ offset, length });
      // A chunk is valid only until the next one is requested.
      const lent = new Uint8Array(100_000);
      for (let at = offset; at < offset + length; ) {
        const chunk = bytes.subarray(at, Math.min(at + lent.length, offset + length));
        lent.set(chunk);
        yield lent.subarray(0, chunk.length);
        lent.fill(0);
        at += chunk.length;
      }
    },
  };
}

async function putAll(
  connector: StorageConnector,
  session: StorageSession,
  order: PutOrder,
): Promise<StoredFile> {
  const put = connector.put(session, order);
  for (;;) {
    const step = await put.next();
    if (step.done) return step.value;
  }
}

type Part = { kind: "stored"; file: StoredFile } | { kind: "checkpoint"; cursor: Json };

async function putUntilCheckpoint(
  connector: StorageConnector,
  session: StorageSession,
  order: PutOrder,
): Promise<Part> {
  const put = connector.put(session, order);
  for (;;) {
    const step = await put.next();
    if (step.done) return { kind: "stored", file: step.value };
    if (step.value.type !== "checkpoint") continue;
    await put.return(undefined as never);
    return { kind: "checkpoint", cursor: step.value.cursor };
  }
}

/** Uploads as the engine does: keeps the last checkpoint and retries after a temporary failure. */
async function putStubbornly(
  connector: StorageConnector,
  session: () => StorageSession,
  bytes: Uint8Array,
): Promise<void> {
  let cursor: Json | null = null;
  for (let attempt = 0; attempt < 5; attempt++) {
    const put = connector.put(session(), orderOf(bytes, cursor));
    try {
      for (;;) {
        const step = await put.next();
        if (step.done) return;
        if (step.value.type === "checkpoint") cursor = step.value.cursor;
      }
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.kind !== "unavailable") throw error;
    }
  }
  throw new Error("the file was not written after five attempts");
}

type Interruption =
  | { kind: "checkpoint" }
  | { kind: "fault"; skip: number; times: number; action: FaultOrder["action"] };

/** Interrupts one slice per fault, each continuing from the last checkpoint. The rest uploads without faults. */
async function putInterrupted(
  connector: StorageConnector,
  world: StorageWorld,
  bytes: Uint8Array,
  planned: readonly Interruption[],
): Promise<void> {
  let cursor: Json | null = null;
  for (const interruption of [...planned, null]) {
    world.simulator.faults.clear();
    if (interruption?.kind === "fault") {
      const { skip, times, action } = interruption;
      world.simulator.faults.add({ match: {}, skip, times, action });
    }
    const put = connector.put(world.session(), orderOf(bytes, cursor));
    try {
      for (let step = await put.next(); ; step = await put.next()) {
        if (step.done) return world.simulator.faults.clear();
        if (step.value.type !== "checkpoint") continue;
        cursor = JSON.parse(JSON.stringify(step.value.cursor)) as Json;
        if (interruption?.kind === "checkpoint") break;
      }
      await put.return(undefined as never);
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.kind !== "unavailable") throw error;
    }
  }
  throw new Error("a put that nothing disturbs has failed");
}

/** The ConnectorError of a promise. @throws when it resolves or rejects with another kind of error */
async function failureOf(promise: Promise<unknown>): Promise<ConnectorError> {
  const error = await promise.then(
    () => new Error("nothing failed"),
    (cause: unknown) => cause,
  );
  if (!(error instanceof ConnectorError)) throw error;
  return error;
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message}\n${error.stack ?? ""}\n${error.cause === undefined ? "" : describeError(error.cause)}`;
}

/** Cached by length, because generating many bytes takes as long as sending them. */
const madeBytes = new Map<number, Uint8Array>();

/** Bytes that do not repeat. Equal lengths give equal bytes. */
function someBytes(length: number): Uint8Array {
  const known = madeBytes.get(length);
  if (known) return known;
  const bytes = new Uint8Array(length);
  let state = length | 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    bytes[i] = state >>> 24;
  }
  madeBytes.set(length, bytes);
  return bytes;
}

const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
