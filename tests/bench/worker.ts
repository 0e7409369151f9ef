/**
 * The bench's own Worker: one route for each side of a comparison. It runs the product's code with the same services
 * and bindings. Code added here only counts; nothing is left out.
 */
import { downloadZip } from "client-zip";
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { z } from "zod";
import { DELIM_PKT, encodePkt, FLUSH_PKT } from "#connectors/toolkit/git/pkt-line.ts";
import { createSession } from "#core/accounts/index.ts";
import { dispatchDue, runBackup } from "#core/backups/index.ts";
import { openForReading, readBoardPage } from "#core/browsing/index.ts";
import { compareVersions } from "#core/comparisons/index.ts";
import { sealTokens } from "#core/connections/open-session.ts";
import { knownRun } from "#core/database/ledger/index.ts";
import { shardClient } from "#core/database/ledgers.ts";
import { isShard, listShards, type Shard } from "#core/database/shards.ts";
import { requestCloneUrl, requestZip, runExport } from "#core/exports/index.ts";
import { listItemCountRows } from "#core/inventory/item-counts.store.ts";
import { countsOfList } from "#core/inventory/item-counts.ts";
import { countStaleAndAlarmed, listItemRows, type PageStart } from "#core/inventory/items.store.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { liveEventSchema } from "#core/live/events.schema.ts";
import { createOrganisation, type Member } from "#core/organisations/index.ts";
import { runRestore } from "#core/restores/index.ts";
import { createRuns } from "#core/runs/index.ts";
import { runVerify } from "#core/upkeep/index.ts";
import { openObjectReader, openObjectWriter } from "#core/vault/index.ts";
import { findListedManifest, findSnapshot, openVault, openVersion } from "#core/versions/index.ts";
import { formatSocketOwner, SOCKET_HEADER } from "#durable-objects/live-socket.ts";
import { accountHub } from "#durable-objects/stubs.ts";
import type { ApiEnv } from "#workers/api/api-env.ts";
import { downloads } from "#workers/api/routes/downloads.ts";
import { handle } from "#workers/queues/handle.ts";
import { buildServices, type Services } from "#workers/services.ts";
import { BareHub } from "./bare-hub.ts";
import { type Counts, countingBucket, countingDatabase, countingObjects, noCounts } from "./counting.ts";
import { BENCH_LIST, fillItems, rowOfItem } from "./fill-items.ts";
import { fillSchedule } from "./fill-schedule.ts";

export { AccountHub } from "#durable-objects/account-hub.ts";
export { ProviderBudget } from "#durable-objects/provider-budget.ts";
export { Runner } from "#workers/queues/runner.ts";
export { BareHub };

const REGION = "US" as const;
const PLATFORM = "github";
const MIB = 1_048_576;

const worldSchema = z.object({
  organisationId: z.string(),
  connectionId: z.string(),
  userId: z.string(),
  platform: z.string().default(PLATFORM),
});
type World = z.output<typeof worldSchema>;

const app = new Hono<{ Bindings: Env }>();
export default app;

// The error explains why a figure is missing.
app.onError((cause, c) => c.text(`${cause.message}\n${cause.stack}`, 500));

app.get("/ping", (c) => c.text("bench"));

/** Creates the databases from the product's migrations. */
app.post("/migrate", async (c) => {
  const { control, ledger } = z
    .object({ control: z.array(z.string()), ledger: z.array(z.string()) })
    .parse(await c.req.json());
  const create = (database: D1Database, statements: string[]) =>
    database.batch(statements.map((text) => database.prepare(text)));
  await create(c.env.DB, control);
  for (const shard of listShards(c.env)) await create(shardClient(c.env, shard), ledger);
  return c.json({});
});

/** A person with an organisation on Pro and a connected account. */
app.post("/world", async (c) => {
  const { platform, externalId, details, authMethod } = z
    .object({
      platform: z.string().default(PLATFORM),
      /** The account at the platform, and what the connector keeps about it. */
      externalId: z.string().default("1"),
      details: z.record(z.string(), z.json()).default({}),
      authMethod: z.string().default("default"),
    })
    .parse(await c.req.json());
  const s = buildServices(c.env);
  const now = s.clock.now();
  const userId = "usr_bench";
  await c.env.DB.prepare(
    "INSERT INTO user (id, name, email, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?4)",
  )
    .bind(userId, "Bench", "bench@example.test", now)
    .run();
  await createOrganisation(s, { userId });
  const row = await c.env.DB.prepare("SELECT id FROM organisation").first<{ id: string }>();
  const organisationId = row!.id;
  const connectionId = s.ids.next("connection");
  const account = { organisationId, platform, externalId, authMethod };
  const sealed = await sealTokens(s, account, { accessToken: "bench", refreshToken: null });
  await c.env.DB.batch([
    c.env.DB.prepare(
      `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at)
       VALUES ('sub_bench', ?1, ?2, 'pro', 1000, ?3)`,
    ).bind(organisationId, platform, now),
    c.env.DB.prepare(
      `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status,
         details, created_at)
       VALUES (?1, ?2, ?3, ?4, ?6, 'bench', 'User', 'active', ?7, ?5)`,
    ).bind(connectionId, organisationId, platform, REGION, now, externalId, JSON.stringify(details)),
    c.env.DB.prepare(
      `INSERT INTO credential (connection_id, auth_method, organisation_id, sealed_access_token, token_version, status)
       VALUES (?1, ?4, ?2, ?3, 1, 'active')`,
    ).bind(connectionId, organisationId, sealed.sealedAccessToken, authMethod),
  ]);
  await c.env[`LEDGER_${REGION}`]
    .prepare(
      `INSERT INTO place (id, organisation_id, connection_id, external_id, name, type, created_at)
       VALUES ('plc_bench', ?1, ?2, '1', 'bench', 'User', ?3)`,
    )
    .bind(organisationId, connectionId, now)
    .run();
  return c.json({ organisationId, connectionId, userId, platform });
});

/** Opens a session for the person, with a browser's cookie. */
app.post("/session", async (c) => {
  const { world } = z.object({ world: worldSchema }).parse(await c.req.json());
  const { setCookie } = await createSession(buildServices(c.env), {
    userId: world.userId,
    isRemembered: false,
  });
  return c.json({ cookie: setCookie.map((line) => line.split(";")[0]).join("; ") });
});

/** Protects an item, by default a repository of the git host. */
app.post("/item", async (c) => {
  const { world, kind, externalId, name } = z
    .object({
      world: worldSchema,
      kind: z.string().default("repository"),
      externalId: z.string(),
      name: z.string(),
    })
    .parse(await c.req.json());
  const s = buildServices(c.env);
  const itemId = s.ids.next("item");
  await c.env.LEDGER_US.prepare(
    `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
       visibility, details, status, is_daily, created_at)
     VALUES (?1, ?2, ?3, ?4, ?9, ?5, ?6, ?7, ?6, 'private', '{}', 'initialized', 1, ?8)`,
  )
    .bind(
      itemId,
      world.organisationId,
      world.connectionId,
      world.platform,
      externalId,
      name,
      `bench/${name}`,
      s.clock.now(),
      kind,
    )
    .run();
  return c.json({ itemId });
});

const runSchema = z.object({
  world: worldSchema,
  kind: z.enum(["backup", "restore"]),
  itemId: z.string(),
  snapshotId: z.string().nullable(),
  /** Name of the restored repository. */
  name: z.string(),
});

/** Queues a run, as the app does. */
app.post("/queue", async (c) => {
  const { world, kind, itemId, snapshotId, name } = runSchema.parse(await c.req.json());
  const s = buildServices(c.env);
  const runId = s.ids.next("run");
  const target = { kind: "new", name, place: null };
  const order =
    kind === "backup"
      ? null
      : { version: 2, target, part: null, answers: {}, emails: [], takenAt: s.clock.now() };
  const { organisationId, connectionId, userId, platform } = world;
  const run = {
    id: runId,
    organisationId,
    connectionId,
    itemId,
    platform,
    kind,
    snapshotId,
    order,
  };
  await createRuns(s.ledger(REGION), [{ ...run, trigger: "user", createdBy: userId }], s.clock.now());
  return c.json({ runId });
});

/** Executes a queued run as the queue's consumer does. Returns its result and cost. */
app.post("/run", async (c) => {
  const { runId, kind, isCounted } = z
    .object({ runId: z.string(), kind: z.enum(["backup", "restore"]), isCounted: z.boolean() })
    .parse(await c.req.json());
  const counts = noCounts();
  const s = isCounted ? countedServices(c.env, counts) : buildServices(c.env);
  const run = await runToEnd(c.env, runId, (order) =>
    kind === "backup" ? runBackup(s, order) : runRestore(s, order),
  );
  const { snapshotId, bytesRead, bytesStored, report } = run;
  return c.json({ snapshotId, bytesRead, bytesStored, report, counts });
});

/** Executes the slices of a run, one after another. */
async function runToEnd(
  env: Env,
  runId: string,
  slice: (order: { region: typeof REGION; runId: string; epoch: number }) => Promise<unknown>,
) {
  const ledger = buildServices(env).ledger(REGION);
  // That of an unchanged version is folded into it.
  const find = () => ledger.select().from(knownRun).where(eq(knownRun.id, runId)).get();
  let run = await find();
  // Long work continues in another slice, whose message carries the epoch.
  do {
    await slice({ region: REGION, runId, epoch: run?.epoch ?? 0 });
    run = await find();
  } while (run?.status === "queued" && run.waitingUntil === null);
  if (run?.status !== "succeeded") throw new Error(`the run is ${run?.status}: ${run?.errorText}`);
  return run;
}

/** Executes the check of a version, which its backup has queued. */
app.post("/check", async (c) => {
  const { snapshotId } = z.object({ snapshotId: z.string() }).parse(await c.req.json());
  const check = await c.env.LEDGER_US.prepare("SELECT id FROM run WHERE snapshot_id = ?1 AND kind = 'verify'")
    .bind(snapshotId)
    .first<{ id: string }>();
  await runToEnd(c.env, check!.id, (order) => runVerify(buildServices(c.env), order));
  return c.json({});
});

/**
 * One day of an item: it falls due and is backed up, and what that has queued is done. Returns what was used, and how many
 * versions and checks the item has.
 */
app.post("/day", async (c) => {
  const { world, itemId } = z.object({ world: worldSchema, itemId: z.string() }).parse(await c.req.json());
  const counts = noCounts();
  const services = countedServices(c.env, counts, { isPaced: true });
  const now = services.clock.now();
  await c.env.LEDGER_US.prepare(
    `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
     VALUES (?1, ?2, 86400000, ?3, ?4, ?5) ON CONFLICT (item_id) DO UPDATE SET due_at = excluded.due_at`,
  )
    .bind(itemId, now - DUE_AGO_MS + days++, world.organisationId, world.connectionId, world.platform)
    .run();
  const messages: JobMessage[] = [];
  const queue = { send: async (sent: readonly JobMessage[]) => void messages.push(...sent) };
  const s = { ...services, queue };
  await dispatchDue(s, REGION);
  let delivered = 0;
  for (let message = messages.shift(); message; message = messages.shift()) {
    delivered += 1;
    await handle(s, message);
  }
  const facts = await c.env.LEDGER_US.prepare(
    `SELECT (SELECT count(*) FROM snapshot WHERE item_id = ?1) AS versions,
       (SELECT count(*) FROM run WHERE item_id = ?1 AND kind = 'verify' AND status = 'succeeded') AS checks`,
  )
    .bind(itemId)
    .first();
  const { rowsRead, rowsWritten, bucketReads, bucketWrites } = counts;
  // A message starts a runner, whose alarm does the job.
  const objectCalls = counts.objectCalls + 2 * delivered;
  const queueOperations = 3 * delivered;
  const use = { rowsRead, rowsWritten, bucketReads, bucketWrites, objectCalls, queueOperations };
  return c.json({ use, ...facts });
});

/** An item of the bench is due since this long, a little less each day, because a due time has one run. */
const DUE_AGO_MS = 60_000;
let days = 0;

/** Git itself and the repository's own data. Everything else is the platform's other data. */
const isGitOrRepository = (url: string) => /\.git\/|\/repositories\/\w+$/.test(url);

function countedServices(env: Env, counts: Counts, { isPaced = false } = {}): Services {
  const counted = {
    ...env,
    DB: countingDatabase(env.DB, counts),
    ACCOUNT_HUB: countingObjects(env.ACCOUNT_HUB, counts),
    PROVIDER_BUDGET: countingObjects(env.PROVIDER_BUDGET, counts),
    ...Object.fromEntries(
      listShards(env).map((shard) => [`LEDGER_${shard}`, countingDatabase(shardClient(env, shard), counts)]),
    ),
    ...Object.fromEntries(
      REGIONS.map((region) => [`VAULT_${region}`, countingBucket(env[`VAULT_${region}`], counts)]),
    ),
  } as Env;
  const services = buildServices(counted);
  // A platform that allows three requests a second would take hours; its simulator allows any number.
  const unpaced = [...services.connectors].map(([id, one]) => [id, { ...one, quotas: [] }] as const);
  return {
    ...services,
    connectors: isPaced ? services.connectors : new Map(unpaced),
    fetch: (url, init) => {
      counts.requests += 1;
      if (isGitOrRepository(String(url))) counts.coreRequests += 1;
      return services.fetch(url, init);
    },
  };
}

/** The two git records of a version, as they are stored. */
app.post("/version", async (c) => {
  const { view } = await openBenchVersion(c.env, await c.req.json());
  const [refs, chain] = [await view.readRecord("git/refs.json"), await view.readRecord("git/chain.json")];
  return c.json({ refs, chain });
});

/** How many entries of each kind a version has. */
app.post("/counts", async (c) => {
  const { view } = await openBenchVersion(c.env, await c.req.json());
  return c.json(view.counts());
});

/** The number of issues in a version. */
app.post("/records", async (c) => {
  const { view } = await openBenchVersion(c.env, await c.req.json());
  let issues = 0;
  for await (const { kind } of view.list("issues/")) issues += kind === "issue" ? 1 : 0;
  return c.json({ issues });
});

const versionSchema = z.object({ world: worldSchema, snapshotId: z.string() });

async function openBenchVersion(env: Env, input: unknown) {
  const { world, snapshotId } = versionSchema.parse(input);
  const s = buildServices(env);
  const { organisationId } = world;
  const snapshot = await findSnapshot(s.ledger(REGION), organisationId, snapshotId);
  if (!snapshot) throw new Error(`there is no version ${snapshotId}`);
  const vault = await openVault(s, { organisationId, region: REGION });
  const view = await openVersion(s, vault, { ...snapshot, region: REGION });
  return { s, snapshot, vault, view, world };
}

const ownerOf = ({ userId, organisationId }: World): Member => ({
  ...{ userId, organisationId, name: "Bench", email: "bench@example.test" },
  ...{ role: "owner", platformRoles: {}, timeZone: "UTC" },
});

/** The link to a version's ZIP. Marks the version as checked, since the check is not measured here. */
app.post("/zip", async (c) => {
  const { s, snapshot, world } = await openBenchVersion(c.env, await c.req.json());
  const member = ownerOf(world);
  await c.env.LEDGER_US.prepare(
    "UPDATE snapshot SET verify_state = 'verified', verified_at = ?2 WHERE id = ?1",
  )
    .bind(snapshot.id, s.clock.now())
    .run();
  const request = { platform: world.platform, itemId: snapshot.itemId, snapshotId: snapshot.id };
  let answer = await requestZip(s, member, request);
  if (answer.kind === "preparing") {
    const run = await c.env.LEDGER_US.prepare("SELECT run_id AS id FROM export WHERE snapshot_id = ?1")
      .bind(snapshot.id)
      .first<{ id: string }>();
    await runExport(s, { region: REGION, runId: run!.id, epoch: 0 });
    answer = await requestZip(s, member, request);
  }
  if (answer.kind !== "ready") throw new Error("the ZIP is not ready");
  return c.json({ path: new URL(answer.url).pathname });
});

/** The page that shows a version's board. */
app.post("/board", async (c) => {
  const { s, snapshot, world } = await openBenchVersion(c.env, await c.req.json());
  const order = { itemId: snapshot.itemId, snapshotId: snapshot.id };
  const open = await openForReading(s, ownerOf(world), order);
  const page = await readBoardPage(open, { viewId: null, search: null, hasArchived: true });
  return c.json({ cards: page.cardCount });
});

/** The comparison of a version with a later one. */
app.post("/compare", async (c) => {
  const asked = versionSchema.extend({ afterId: z.string() }).parse(await c.req.json());
  const { s, snapshot, world } = await openBenchVersion(c.env, asked);
  const order = { itemId: snapshot.itemId, beforeId: snapshot.id, afterId: asked.afterId };
  const { views } = await compareVersions(s, ownerOf(world), order);
  const changed = views.flatMap((view) => (view.kind === "board" ? view.parts.rows : []));
  return c.json({ changed: changed.length });
});

/** The address from which git clones the repository of a checked version. */
app.post("/clone-link", async (c) => {
  const { s, snapshot, world } = await openBenchVersion(c.env, await c.req.json());
  const wanted = { itemId: snapshot.itemId, snapshotId: snapshot.id };
  const { url } = await requestCloneUrl(s, ownerOf(world), wanted);
  return c.json({ path: new URL(url).pathname });
});

/** The product's downloads: ZIPs, and repositories for git. */
app.route(
  "/",
  new Hono<ApiEnv>()
    .use(async (c, next) => {
      c.set("services", buildServices(c.env));
      await next();
    })
    .route("/", downloads),
);

/** The stored objects of a version, concatenated from the bucket: the runtime's own speed. */
app.get("/native/:organisation/:snapshot", async (c) => {
  const objects = await storedObjects(c.env, c.req.param("organisation"), c.req.param("snapshot"));
  const { readable, writable } = new IdentityTransformStream();
  const concatenate = async () => {
    for (const key of objects) {
      const object = await c.env.VAULT_US.get(key);
      await object!.body.pipeTo(writable, { preventClose: true });
    }
    await writable.close();
  };
  c.executionCtx.waitUntil(concatenate());
  return new Response(readable);
});

const WINDOW_BYTES = 16 * MIB;

/** The runtime's own method for large reads, which is missing from its types. */
type LargeReader = {
  readAtLeast(length: number, view: Uint8Array): Promise<{ value?: Uint8Array<ArrayBuffer>; done: boolean }>;
};

/** Reads the stored objects in windows through one buffer and drops them: the local bucket's cost of reading. */
app.post("/read/bare", async (c) => {
  const { world, snapshotId } = versionSchema.parse(await c.req.json());
  let bytes = 0;
  let buffer: Uint8Array<ArrayBuffer> | null = null;
  for (const key of await storedObjects(c.env, world.organisationId, snapshotId)) {
    const { size } = (await c.env.VAULT_US.head(key))!;
    for (let offset = 0; offset < size; offset += WINDOW_BYTES) {
      const range = { offset, length: Math.min(WINDOW_BYTES, size - offset) };
      const { body } = (await c.env.VAULT_US.get(key, { range }))!;
      const reader = body.getReader({ mode: "byob" }) as unknown as LargeReader;
      for (;;) {
        const { value, done } = await reader.readAtLeast(MIB, buffer ?? new Uint8Array(MIB));
        buffer = value && value.buffer.byteLength > 0 ? new Uint8Array(value.buffer) : null;
        bytes += value?.length ?? 0;
        if (done) break;
      }
    }
  }
  return c.json({ bytes });
});

/** The same objects as a ZIP made by client-zip, undecrypted. */
app.get("/client-zip/:organisation/:snapshot", async (c) => {
  const objects = await storedObjects(c.env, c.req.param("organisation"), c.req.param("snapshot"));
  async function* files() {
    for (const key of objects) {
      const object = await c.env.VAULT_US.get(key);
      yield { name: key, input: object!.body as unknown as ReadableStream<Uint8Array>, size: object!.size };
    }
  }
  return downloadZip(files());
});

async function storedObjects(env: Env, organisationId: string, snapshotId: string): Promise<string[]> {
  const s = buildServices(env);
  const snapshot = await findSnapshot(s.ledger(REGION), organisationId, snapshotId);
  const found = await findListedManifest(s.ledger(REGION), organisationId, snapshot!);
  return found!.objects.map((id) => `${organisationId}/${snapshot!.itemId}/${id}`);
}

const PART_BYTES = 8 * MIB;
const CHUNK_BYTES = MIB / 2;
const storeSchema = z.object({ world: worldSchema, bytes: z.number().multipleOf(PART_BYTES) });

/** Noise of one part's length. Every chunk of a source is a view of it. */
let noise: Uint8Array<ArrayBuffer> | null = null;

function* source(bytes: number): Generator<Uint8Array> {
  if (!noise) {
    noise = new Uint8Array(PART_BYTES);
    for (let at = 0; at < PART_BYTES; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536));
  }
  for (let at = 0; at < bytes; at += CHUNK_BYTES) {
    yield noise.subarray(at % PART_BYTES, (at % PART_BYTES) + CHUNK_BYTES);
  }
}

/** Our store: hash, checksum, encrypt, multipart upload. `/store/prove` checks the recorded hash. */
app.post("/store/ours", async (c) => {
  const { world, bytes } = storeSchema.parse(await c.req.json());
  const vault = await openVault(buildServices(c.env), {
    organisationId: world.organisationId,
    region: REGION,
  });
  const scope = { organisationId: world.organisationId, itemId: "itm_store" };
  const writer = await openObjectWriter(vault, { scope, kind: "stream", runId: "run_store" });
  for (const chunk of source(bytes)) await writer.write(chunk);
  return c.json(await writer.close());
});

/** Receives everything that the wants reach, as one pack, and drops it. */
app.post("/receive/bare", async (c) => {
  const { url, wants } = z.object({ url: z.string(), wants: z.array(z.string()) }).parse(await c.req.json());
  const body = concatBytes(
    ...["command=fetch", "object-format=sha1"].map(encodePkt),
    DELIM_PKT,
    ...["ofs-delta", "no-progress", ...wants.map((oid) => `want ${oid}`), "done"].map((line) =>
      encodePkt(`${line}\n`),
    ),
    FLUSH_PKT,
  );
  const headers = { "content-type": "application/x-git-upload-pack-request", "git-protocol": "version=2" };
  const answer = await fetch(url, { method: "POST", body, headers });
  let bytes = 0;
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) bytes += chunk.length;
  if (bytes < 1_000) throw new Error("git sent no pack");
  return c.json({ bytes });
});

/** Reads one of our objects in full, which checks every frame and the hash, and deletes it. */
app.post("/store/prove", async (c) => {
  const { world, object } = z
    .object({
      world: worldSchema,
      object: z.object({ id: z.string(), key: z.string(), sizeBytes: z.number(), hash: z.string() }),
    })
    .parse(await c.req.json());
  const vault = await openVault(buildServices(c.env), {
    organisationId: world.organisationId,
    region: REGION,
  });
  const scope = { organisationId: world.organisationId, itemId: "itm_store" };
  let bytes = 0;
  const { id, sizeBytes, hash } = object;
  for await (const chunk of openObjectReader(vault, { scope, id, kind: "stream", sizeBytes, hash }).read()) {
    bytes += chunk.length;
  }
  await c.env.VAULT_US.delete(object.key);
  return c.json({ bytes });
});

/**
 * Uploads the same bytes in the same parts with the bucket's calls alone, one part uploading while the next one fills.
 */
app.post("/store/bare", async (c) => {
  const { bytes } = storeSchema.parse(await c.req.json());
  const key = "bare/object";
  const upload = await c.env.VAULT_US.createMultipartUpload(key);
  const parts: R2UploadedPart[] = [];
  let uploading: Promise<R2UploadedPart> | null = null;
  let [filling, resting] = [new Uint8Array(PART_BYTES), new Uint8Array(PART_BYTES)];
  let used = 0;
  for (const chunk of source(bytes)) {
    filling.set(chunk, used);
    used += chunk.length;
    if (used < PART_BYTES) continue;
    if (uploading) parts.push(await uploading);
    uploading = upload.uploadPart(parts.length + 1, filling);
    [filling, resting] = [resting, filling];
    used = 0;
  }
  if (uploading) parts.push(await uploading);
  const { size } = await upload.complete(parts);
  await c.env.VAULT_US.delete(key);
  return c.json({ bytes: size });
});

/** Schedules the items; `due` of them are due. */
const shardOrder = z.object({ shard: z.custom<Shard>(isShard).default(REGION) });

app.post("/schedule", async (c) => {
  const { items, due, shard } = shardOrder
    .extend({ items: z.number(), due: z.number() })
    .parse(await c.req.json());
  const now = Date.now();
  await c.env.DB.prepare(
    `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at)
     VALUES ('sub_bench_schedule', 'org_bench', ?1, 'pro', ?2, ?3) ON CONFLICT DO NOTHING`,
  )
    .bind(PLATFORM, items, now)
    .run();
  await fillSchedule(shardClient(c.env, shard), { items, due, now });
  return c.json({});
});

/** Fills a list and reads its first, middle and last page, each with its counts. */
app.post("/list-pages", async (c) => {
  const { items, perPage } = z.object({ items: z.number(), perPage: z.number() }).parse(await c.req.json());
  await fillItems(c.env.LEDGER_US, items);
  const pages = [];
  for (const first of [0, Math.floor(items / 2), items - perPage]) {
    const counts = noCounts();
    const ledger = countedServices(c.env, counts).ledger(REGION);
    const query = { ...BENCH_LIST, name: null, filter: "all" as const, now: Date.now() };
    const start: PageStart =
      first === 0 ? { kind: "page", page: 0 } : { kind: "after", row: rowOfItem(first - 1) };
    const rows = await listItemRows(ledger, { ...query, start, perPage, isDescending: false });
    const counters = await listItemCountRows(ledger, BENCH_LIST.organisationId);
    await countStaleAndAlarmed(ledger, query, 100);
    pages.push({
      rows: rows.length,
      total: countsOfList(counters, BENCH_LIST).all,
      rowsRead: counts.rowsRead,
    });
  }
  return c.json({ pages });
});

/** One dispatcher tick. */
app.post("/dispatch", async (c) => {
  const { shard } = shardOrder.parse(await c.req.json());
  const counts = noCounts();
  const { done: queued } = await dispatchDue(countedServices(c.env, counts), shard);
  return c.json({ queued, counts });
});

/** The bare hub, which the product does not have. */
const bareHub = (env: Env) =>
  (env as Env & { BARE_HUB: DurableObjectNamespace<BareHub> }).BARE_HUB.getByName("bench");

/** A socket of an open screen of the owner. */
app.get("/live/ours", (c) => {
  const request = new Request(c.req.raw);
  const owner = { userId: "usr_bench", sessionId: "ses_bench", platforms: "all" as const };
  request.headers.set(SOCKET_HEADER, formatSocketOwner(owner));
  return accountHub(c.env, c.req.query("organisation")!).fetch(request);
});

app.get("/live/bare", (c) => bareHub(c.env).fetch(c.req.raw));

const publishSchema = z.object({ world: worldSchema, event: liveEventSchema });

app.post("/live/publish", async (c) => {
  const { world, event } = publishSchema.parse(await c.req.json());
  await buildServices(c.env).live.publish(world.organisationId, [event]);
  return c.json({});
});

app.post("/live/broadcast", async (c) => {
  const { event } = publishSchema.parse(await c.req.json());
  await bareHub(c.env).broadcast(JSON.stringify({ ...event, seq: 1 }));
  return c.json({});
});
