import { expect, onTestFinished, test } from "vitest";
import type { FaultOrder } from "./faults.ts";
import { type SimulatorServer, startSimulatorServer } from "./simulator-server.ts";

const BODY = "x".repeat(10_000);

async function plainServer(): Promise<SimulatorServer> {
  const server = await startSimulatorServer(0, () => ({
    handle: (request, response) => {
      request.resume();
      request.once("end", () => response.end(BODY));
    },
  }));
  onTestFinished(() => server.stop());
  return server;
}

async function order(server: { url: string }, fault: FaultOrder): Promise<void> {
  const answer = await fetch(`${server.url}/__sim/faults`, { method: "POST", body: JSON.stringify(fault) });
  expect(answer.status).toBe(204);
}

test("a fault affects only matching requests, as often as configured, after those it skips", async () => {
  const server = await plainServer();
  await order(server, {
    match: { method: "POST", path: "^/a" },
    skip: 1,
    times: 2,
    action: { kind: "answer", status: 503, headers: { "Retry-After": "7" }, body: { message: "later" } },
  });
  const statuses = [];
  for (const [method, pathname] of [
    ["GET", "/a"],
    ["POST", "/b"],
    ["POST", "/a"],
    ["POST", "/a"],
    ["POST", "/ab"],
    ["POST", "/a"],
  ]) {
    statuses.push((await fetch(`${server.url}${pathname}`, { method })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 503, 503, 200]);
});

test("the log counts requests with their bytes and can be cleared", async () => {
  const server = await plainServer();
  await (await fetch(`${server.url}/one?q=1`, { method: "POST", body: "12345" })).text();
  await order(server, { match: {}, action: { kind: "html" } });
  const page = await fetch(`${server.url}/two`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  await page.text();
  const { requests } = (await (await fetch(`${server.url}/__sim/requests`)).json()) as { requests: object[] };
  expect(requests).toMatchObject([
    { method: "POST", path: "/one?q=1", status: 200, bytesIn: 5, bytesOut: BODY.length, fault: null },
    { method: "GET", path: "/two", status: 200, fault: "html" },
  ]);
  await fetch(`${server.url}/__sim/requests`, { method: "DELETE" });
  expect(server.log.requests()).toEqual([]);
});

test("a cut, a drop and a stall break the response at the configured byte", async () => {
  const server = await plainServer();
  await order(server, { match: { path: "/cut" }, action: { kind: "cut", afterBytes: 1_000 } });
  const cut = await fetch(`${server.url}/cut`);
  const reading = (cut.body ?? new ReadableStream()).getReader();
  expect((await reading.read()).value).toHaveLength(1_000);
  await expect(reading.read()).rejects.toThrow();

  await order(server, { match: { path: "/drop" }, action: { kind: "drop" } });
  await expect(fetch(`${server.url}/drop`)).rejects.toThrow();

  await order(server, { match: { path: "/stall" }, action: { kind: "stall", afterBytes: 10 } });
  const stalled = await fetch(`${server.url}/stall`);
  const reader = (stalled.body ?? new ReadableStream()).getReader();
  expect((await reader.read()).value).toHaveLength(10);
  const late = await Promise.race([
    reader.read(),
    new Promise((resolve) => setTimeout(resolve, 60, "nothing")),
  ]);
  expect(late).toBe("nothing");
  await reader.cancel();
});

test("a request with a non-ASCII header is refused and recorded", async () => {
  const server = await plainServer();
  const ask = (authorization: string) => fetch(`${server.url}/a`, { headers: { authorization } });
  expect([(await ask("Bearer plain")).status, (await ask("Bearer pl\u00e4in")).status]).toEqual([200, 400]);
  expect(server.log.refusals()).toEqual([
    expect.objectContaining({ kind: "refused", method: "GET", path: "/a", status: 400 }),
  ]);
});
