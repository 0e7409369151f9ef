/** The bucket and keys that every simulated S3 begins with. */
export const DEMO_BUCKET = {
  bucketName: "meridian-backups",
  region: "us-west-2",
  accessKeyID: "AKIAHOLDFASTDEMO0001",
  secretAccessKey: "demo/secret+of/a+simulated/bucket+0001",
} as const;
