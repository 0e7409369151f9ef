import { expect, test } from "vitest";
import { ApiError } from "#app/api/call-api.ts";
import { requestZip, zipState } from "./zip-action.tsx";

const request = { platform: "github", kind: "repository", itemId: "itm_1", snapshotId: "snp_1" };

test("a link is usable until it expires and requested again afterwards", () => {
  const zip = { status: "ready", url: "/z", expiresAt: 1_000 } as const;
  expect(zipState(zip, 999)).toBe("ready");
  expect(zipState(zip, 1_000)).toBe("expired");
  expect(zipState({ ...zip, status: "pending" }, 2_000)).toBe("pending");
});

test("a response with a URL is ready", async () => {
  expect(await requestZip(request, { fetch: answering({ result: { url: "/a.zip" } }) })).toBe("/a.zip");
});

test("a success with only a message means that the ZIP is being prepared", async () => {
  expect(await requestZip(request, { fetch: answering({ message: "It takes a few minutes." }) })).toBeNull();
});

test("a refusal shows the server's sentence as a warning", async () => {
  const refused = requestZip(request, { fetch: answering({ status: "failure", message: "Gone" }) });
  await expect(refused).rejects.toThrow(new ApiError("Gone", { code: "err.internal", status: 200 }));
});

function answering(body: object): typeof fetch {
  return async () => Response.json({ status: "success", ...body });
}
