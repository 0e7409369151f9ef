import type { Refusal } from "#connectors/toolkit/simulator/request-log.ts";

/** An object of a bucket. Its bytes are stored in a file of the simulator's folder. */
export type SimulatedObject = {
  file: string;
  size: number;
  etag: string;
  type: string;
  meta: Record<string, string>;
  modifiedAt: number;
};

/** An unfinished multipart upload. */
export type SimulatedUpload = {
  id: string;
  key: string;
  type: string;
  meta: Record<string, string>;
  begunAt: number;
  /** By part number. */
  parts: Record<string, { file: string; size: number; etag: string; at: number }>;
};

export type SimulatedBucket = {
  name: string;
  region: string;
  objects: Record<string, SimulatedObject>;
  uploads: SimulatedUpload[];
};

/** An access key. `may` lists its rights. */
export type SimulatedKey = {
  accessKeyId: string;
  secretAccessKey: string;
  isActive: boolean;
  may: ("read" | "write" | "delete" | "list")[];
};

/** State that survives a restart. */
export type S3State = { buckets: SimulatedBucket[]; keys: SimulatedKey[]; files: number };

export type S3Settings = {
  /** Capacity of a bucket in bytes; null = unlimited. Amazon has no such limit; other servers do. */
  capacityBytes: number | null;
  /** Minimum size of all parts except the last. */
  minPartBytes: number;
  /** Rejects requests whose time is more than 15 minutes off. False in tests that advance the clock. */
  checksClock: boolean;
  /** The response to a request for a bucket in another region; Amazon uses both. */
  regionAnswer: "permanent-redirect" | "header-malformed";
};

/** What all parts of the simulator share. */
export type S3World = {
  state: S3State;
  settings: S3Settings;
  directory: string;
  save(): void;
  refuse(refusal: Refusal): void;
};

export const findBucket = (world: S3World, name: string): SimulatedBucket | undefined =>
  world.state.buckets.find((bucket) => bucket.name === name);
