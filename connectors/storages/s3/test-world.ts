import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { StorageSession } from "#connectors/contract/storage-connector.ts";
import type { StorageWorld } from "#tests/conformance/describe-storage-connector.ts";
import { DEMO_BUCKET } from "./simulator/demo-bucket.ts";
import { keepBytes, readBytes, setObject } from "./simulator/objects.ts";
import { type S3Simulator, type S3SimulatorOptions, startS3Simulator } from "./simulator/s3-simulator.ts";
import { findBucket } from "./simulator/state.ts";

/** A bucket of a simulated S3 and a person who has connected it. */
export type S3TestWorld = StorageWorld & {
  s3: S3Simulator;
  session(keys?: Record<string, string>): StorageSession;
};

/** Opens a simulated S3 with the demo bucket. */
export async function openS3World(options: S3SimulatorOptions = {}): Promise<S3TestWorld> {
  const s3 = await startS3Simulator(options);
  const bucket = () => {
    const found = findBucket(s3.world, DEMO_BUCKET.bucketName);
    if (!found) throw new Error("the bucket is gone");
    return found;
  };
  return {
    s3,
    simulator: s3,
    session: (keys: Record<string, string> = {}) => s3Session(s3.url, { ...DEMO_BUCKET, ...keys }),
    files: async () =>
      Object.entries(bucket().objects).map(([key, object]) => ({
        path: key.replace(/^Holdfast\//, ""),
        bytes: readBytes(s3.world, object),
      })),
    unfinished: async () => bucket().uploads.length,
    replace: async (path) => {
      const key = `Holdfast/${path}`;
      const { file, md5 } = keepBytes(s3.world, bucket(), Buffer.from("not ours"));
      const object = { ...bucket().objects[key]!, file, size: 8, etag: `"${md5}"`, meta: {} };
      setObject(s3.world, bucket(), key, object);
    },
    revoke: async () => {
      s3.world.state.keys[0]!.isActive = false;
    },
    removeHome: async () => {
      s3.world.state.buckets = [];
    },
    leaveRoom: async (bytes) => {
      const used = Object.values(bucket().objects).reduce((sum, { size }) => sum + size, 0);
      s3.world.settings.capacityBytes = used + bytes;
    },
    tooMany: (seconds) => ({ kind: "rate-limit", shape: "slow-down", retryAfter: String(seconds) }),
    secrets: [DEMO_BUCKET.secretAccessKey, DEMO_BUCKET.accessKeyID],
    close: () => s3.stop(),
  };
}

/** A session with a simulated S3; sleeping takes no time. */
export function s3Session(url: string, keys: Readonly<Record<string, string>>): StorageSession {
  return {
    config: { S3_API_URL: url, S3_ADDRESSING: "path" },
    fetch: (address, init) => fetch(address, { redirect: "manual", ...init }),
    accessToken: async () => {
      throw new ConnectorError("unauthorized", "There is no token.");
    },
    spend: async () => {},
    report: async () => {},
    clock: { now: () => Date.now() },
    sleep: async () => {},
    details: { bucketName: keys.bucketName ?? "", region: keys.region ?? "" },
    accountName: keys.bucketName ?? "",
    keys,
  };
}
