import type { StorageGuide } from "#connectors/contract/storage-descriptor.ts";

/** The minimum permissions of the keys. This folder's README says why each is needed. */
const POLICY = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Action: [
        "s3:PutObject",
        "s3:GetObject",
        "s3:DeleteObject",
        "s3:AbortMultipartUpload",
        "s3:ListMultipartUploadParts",
      ],
      Resource: "arn:aws:s3:::BUCKET/Holdfast/*",
    },
    {
      Effect: "Allow",
      Action: ["s3:ListBucket", "s3:ListBucketMultipartUploads"],
      Resource: "arn:aws:s3:::BUCKET",
    },
  ],
};

/** How to create a bucket and its keys at AWS (spec P-128). */
export const guide = {
  title: "Set up an AWS S3 bucket",
  text: "You need a bucket of your own and keys that may write to one folder of it. Nothing else of your AWS account is opened to Holdfast.",
  steps: [
    {
      title: "Create a bucket",
      text: "In the AWS console open S3 and press Create bucket. Give it a name of at most 50 characters, choose a region and leave Block all public access switched on. Versioning and default encryption are your choice; both work.",
    },
    {
      title: "Create a policy",
      text: "Open IAM, Policies, Create policy, choose JSON and paste this. Put the name of your bucket in place of BUCKET, twice.",
      code: JSON.stringify(POLICY, null, 2),
    },
    {
      title: "Create a user",
      text: "Open IAM, Users, Create user. It needs no access to the console. Attach the policy of the step before, and no other one.",
    },
    {
      title: "Create an access key",
      text: "Open the user, Security credentials, Create access key, and choose Application running outside AWS. AWS shows the secret access key once: keep the page open.",
    },
    {
      title: "Connect",
      text: "In Holdfast open Settings, External Storage, and press Connect beside AWS S3. Enter both keys, the region and the name of the bucket. A first small file, Holdfast/README.txt, is written to prove that everything works.",
    },
    {
      title: "Later",
      text: "To change the keys, create new ones, enter them in the same form, and delete the old ones at AWS. When you disconnect, every file stays in your bucket.",
    },
  ],
  fileName: "holdfast-aws-s3-setup.pdf",
} satisfies StorageGuide;
