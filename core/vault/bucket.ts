/** Metadata of an object in a bucket. */
export type BucketObject = { size: number; etag: string };

/** Body of an object or of the requested range. `size` is always the size of the whole object. */
export type BucketBody = BucketObject & { body: ReadableStream };

/** Proof that a part was uploaded; `complete` needs all of them. */
export type UploadedPart = { partNumber: number; etag: string };

/** A multipart upload in progress. */
export interface MultipartUpload {
  uploadPart(partNumber: number, bytes: Uint8Array): Promise<UploadedPart>;
  complete(parts: UploadedPart[]): Promise<BucketObject>;
  abort(): Promise<void>;
}

/** The part of the R2 API that the vault uses. An `R2Bucket` binding satisfies it. */
export interface Bucket {
  head(key: string): Promise<BucketObject | null>;
  get(key: string, options?: { range?: { offset: number; length: number } }): Promise<BucketBody | null>;
  put(key: string, bytes: Uint8Array): Promise<BucketObject | null>;
  /** At most 1,000 keys. */
  delete(keys: string | string[]): Promise<void>;
  createMultipartUpload(key: string): Promise<MultipartUpload>;
}
