import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openObjectReader, writeObject } from "#core/vault/index.ts";
import { numberItem } from "#tests/harness/ledger-rows.ts";
import { makeOwner } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { openVault } from "./open-vault.ts";

const s = buildServices(env);

test("work with a budget counts every call to bucket and ledger", async () => {
  const { organisationId } = await makeOwner(s);
  const spent = { requests: 0, queries: 0 };
  const meter = {
    countRequest: () => {
      spent.requests += 1;
    },
    countQueries: (count: number) => {
      spent.queries += count;
    },
  };
  const vault = await openVault(s, { organisationId, region: "DE" }, meter);
  expect(spent).toEqual({ requests: 0, queries: 0 });
  const scope = { organisationId, itemId: s.ids.next("item") };
  await numberItem(scope.itemId, organisationId);
  const object = await writeObject(vault, { scope, kind: "stream", runId: "run_a" }, new Uint8Array(9));
  // One reserves the object and one completes it.
  expect(spent).toEqual({ requests: 1, queries: 2 });
  for await (const chunk of openObjectReader(vault, { scope, ...object }).read())
    expect(chunk).toHaveLength(9);
  expect(await vault.bucket.head(object.key)).toMatchObject({ size: object.storedBytes });
  expect(spent).toEqual({ requests: 3, queries: 2 });
  expect(await vault.registry.findStream(scope.itemId, object.hash, "run_b")).toMatchObject({
    id: object.id,
  });
  await (await vault.bucket.createMultipartUpload(object.key)).abort();
  await vault.bucket.delete(object.key);
  await vault.registry.discard([object.id]);
  expect(spent).toEqual({ requests: 5, queries: 4 });
});
