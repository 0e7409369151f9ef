/** The initial bucket and keys of every simulated S3. */
export const DEMO_BUCKET = {
  bucketName: "meridian-backups",
  region: "us-west-2",
  accessKeyID: "AKIAHOLDFASTDEMO0001",
  secretAccessKey: "demo/secret+of/a+simulated/bucket+0001",
} as const;
