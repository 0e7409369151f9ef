import { expect, test } from "vitest";
import type { StorageKeyField } from "#connectors/contract/storage-descriptor.ts";
import { storageDescriptors } from "#connectors/registry/storage-descriptors.generated.ts";
import { areKeysGood, firstKeys, keyFault, sentKeys } from "./keys-form-rules.ts";

const s3 =
  storageDescriptors.flatMap(({ connects }) => (connects.by === "keys" ? [connects.fields] : []))[0] ?? [];
const field = (name: string): StorageKeyField => {
  const found = s3.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no field ${name}`);
  return found;
};
const good = {
  accessKeyID: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "eu-central-1",
  bucketName: "meridian-backups",
};

test("[P-171] the form of S3 has four fields, and only one is secret", () => {
  expect(s3.map(({ name }) => name)).toEqual(Object.keys(good));
  expect(s3.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(["secretAccessKey"]);
  expect(areKeysGood(s3, good)).toBe(true);
});

test.each(["accessKeyID", "secretAccessKey", "bucketName"])(
  "[P-274] [P-275] [P-276] [P-277] %s is required, with a minimum and maximum length",
  (name) => {
    const fault = (typed: string) => keyFault(field(name), typed);
    const { minLength, maxLength } = field(name);
    expect(fault("")).toBe("This field is required");
    expect(fault("   ")).toBe("This field is required");
    expect(fault("a".repeat(minLength - 1))).toBe(`Min length is ${minLength}`);
    expect(fault("a".repeat(minLength))).toBeNull();
    expect(fault("a".repeat(maxLength))).toBeNull();
    expect(fault("a".repeat(maxLength + 1))).toBe("Max length is 50");
    expect(areKeysGood(s3, { ...good, [name]: "" })).toBe(false);
  },
);

test("[P-278] [P-279] a region must be one of the 34", () => {
  const regions = field("region").options ?? [];
  expect(new Set(regions.map((region) => JSON.stringify(region))).size).toBe(34);
  expect(regions).toHaveLength(34);
  // Each is a code of AWS, once; the default of a platform is among them.
  const codes = regions.map(({ value }) => value);
  expect(new Set(codes).size).toBe(34);
  for (const code of codes) expect(code).toMatch(/^[a-z]{2}-(?:[a-z]+-)*[a-z]+-[1-9]$/);
  for (const code of ["us-east-1", "us-west-2", "eu-central-1", "ap-southeast-2"])
    expect([code, codes.includes(code), keyFault(field("region"), code)]).toEqual([code, true, null]);
  expect(keyFault(field("region"), "")).toBe("This field is required");
  expect(keyFault(field("region"), "moon-1")).toBe("This field is required");
  expect(areKeysGood(s3, { ...good, region: "" })).toBe(false);
});

test("a value that the storage cannot accept has its own sentence; surrounding spaces are ignored", () => {
  expect(keyFault(field("bucketName"), "Meridian Backups")).toMatch(/small letters/);
  expect(keyFault(field("accessKeyID"), ` ${good.accessKeyID} `)).toBeNull();
  expect(sentKeys(s3, { ...good, bucketName: "  meridian-backups " })).toEqual(good);
});

test("a reopened form shows public values and never a secret, even if given one", () => {
  expect(firstKeys(s3, { region: "eu-central-1", bucketName: "b", secretAccessKey: "leaked" })).toEqual({
    accessKeyID: "",
    secretAccessKey: "",
    region: "eu-central-1",
    bucketName: "b",
  });
});
