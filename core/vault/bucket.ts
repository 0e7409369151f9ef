/** Facts about an object in a bucket. */
export type BucketObject = { size: number; etag: string };

/** Body of an object, or of the asked range of it. `size` is always that of the whole object. */
export type BucketBody = BucketObject & { body: ReadableStream };

/** Proof that a part was uploaded; `complete` needs all of them. */
export type UploadedPart = { partNumber: number; etag: string };

/** A multipart upload in progress. */
export interface MultipartUpload {
  uploadPart(partNumber: number, bytes: Uint8Array): Promise<UploadedPart>;
  complete(parts: UploadedPart[]): Promise<BucketObject>;
  abort(): Promise<void>;
}

/** The part of an R2 bucket that the vault uses; an `R2Bucket` binding fits as it is. */
export interface Bucket {
  head(key: string): Promise<BucketObject | null>;
  get(key: string, options?: { range?: { offset: number; length: number } }): Promise<BucketBody | null>;
  put(key: string, bytes: Uint8Array): Promise<BucketObject | null>;
  /** At most 1,000 keys. */
  delete(keys: string | string[]): Promise<void>;
  createMultipartUpload(key: string): Promise<MultipartUpload>;
}
