import type { Refusal } from "#connectors/toolkit/simulator/request-log.ts";

/** An object of a bucket. Its bytes lie in a file of the simulator's folder. */
export type SimulatedObject = {
  file: string;
  size: number;
  etag: string;
  type: string;
  meta: Record<string, string>;
  modifiedAt: number;
};

/** An upload in parts that was begun and not yet ended. */
export type SimulatedUpload = {
  id: string;
  key: string;
  type: string;
  meta: Record<string, string>;
  begunAt: number;
  /** By their number. */
  parts: Record<string, { file: string; size: number; etag: string; at: number }>;
};

export type SimulatedBucket = {
  name: string;
  region: string;
  objects: Record<string, SimulatedObject>;
  uploads: SimulatedUpload[];
};

/** A pair of keys. `may` names what it is allowed to do. */
export type SimulatedKey = {
  accessKeyId: string;
  secretAccessKey: string;
  isActive: boolean;
  may: ("read" | "write" | "delete" | "list")[];
};

/** Everything that a restart must find again. */
export type S3State = { buckets: SimulatedBucket[]; keys: SimulatedKey[]; files: number };

export type S3Settings = {
  /** Bytes that a bucket holds before it is full; null = any number. Amazon has no such limit, other servers do. */
  capacityBytes: number | null;
  /** Smallest part but the last. */
  minPartBytes: number;
  /** A request whose time is more than 15 minutes off is refused; off where tests leap the clock. */
  checksClock: boolean;
  /** How a request for a bucket of another region is answered; Amazon does both. */
  regionAnswer: "permanent-redirect" | "header-malformed";
};

/** The simulated S3 as its parts see it. */
export type S3World = {
  state: S3State;
  settings: S3Settings;
  directory: string;
  save(): void;
  refuse(refusal: Refusal): void;
};

export const findBucket = (world: S3World, name: string): SimulatedBucket | undefined =>
  world.state.buckets.find((bucket) => bucket.name === name);
