import { Agent, get } from "node:http";
import { type Bench, check, type Finding, finding, protect, size, timed, withRuntime } from "../bench.ts";
import { bundleProduct } from "../bundle-product.ts";
import { type Pair, ratioOf } from "../statistics.ts";

const CONNECTIONS = 8;
const REQUESTS = 400;
const ITEMS = 10;

/**
 * P10: pages of a signed-in person (session check, data, rendering) against the same bytes served unchanged by the same
 * workerd.
 */
export const signedInPages: Bench = {
  id: "P10",
  run: async (ground) => {
    return withRuntime(await bundleProduct(ground, "page-worker.ts"), async (runtime, world) => {
      for (let i = 0; i < ITEMS; i++) await protect(ground, runtime, world, `page-${i}`);
      const { cookie: session } = await runtime.call<{ cookie: string }>("/session", { world });
      // The first page names the hub for those after it.
      const first = await fetch(`${runtime.url}/settings`, { headers: { cookie: session } });
      const cookie = [session, ...first.headers.getSetCookie().map((line) => line.split(";")[0])].join("; ");
      await first.body?.cancel();
      const findings = [await planQueries(runtime.url, cookie)];
      for (const path of ["/platform/dashboard/github", "/settings"]) {
        const page = await fetch(runtime.url + path, { headers: { cookie }, redirect: "manual" });
        const bytes = new Uint8Array(await page.arrayBuffer());
        check(page.status === 200 && bytes.length > 5_000, `${path} is a page (${page.status})`);
        await fetch(`${runtime.url}/static`, { method: "POST", body: bytes });
        const pairs: Pair[] = [];
        for (let round = 0; round <= ground.sizes.rounds; round++) {
          const [theirs] = await timed(() => load(`${runtime.url}/static`, {}, bytes.length));
          const [ours] = await timed(() => load(runtime.url + path, { cookie }, bytes.length));
          ground.say(
            `${path}: page ${(ours / REQUESTS).toFixed(2)} ms, static ${(theirs / REQUESTS).toFixed(2)} ms`,
          );
          if (round > 0) pairs.push({ ours: theirs, theirs: ours });
        }
        const note = `${size(bytes.length)}, ${CONNECTIONS} connections, ${REQUESTS} requests a round, ${pairs.length} rounds`;
        findings.push(
          finding(
            {
              id: "P10",
              what: `requests a second of ${path}, signed in / the same bytes, static`,
              note,
              bound:
                "a call to the organisation's hub; the page was kept, as between two visits within a minute",
            },
            ratioOf(pairs),
            { atLeast: 0.25 },
          ),
        );
      }
      return findings;
    });
  },
};

/**
 * What a list asks about plans, once the hub has the visitor's copy: the rights of a page must cost no query beyond what it
 * reads anyway.
 */
async function planQueries(url: string, cookie: string): Promise<Finding> {
  const visit = async (at: number) => {
    const path = `/platform/dashboard/github?visit=${at}`;
    const answer = await fetch(`${url}/queries?path=${encodeURIComponent(path)}`, { headers: { cookie } });
    return (await answer.json()) as { text: string; queries: string[] };
  };
  await visit(0);
  const { text, queries } = await visit(1);
  check(queries.length > 0 && /\bPro\b/.test(text), "a list that says the plan was drawn anew");
  const ratio = queries.filter((sql) => /\bsubscription\b/.test(sql)).length / queries.length;
  return finding(
    {
      id: "P10",
      what: "queries of a list that ask for plans / all its queries",
      note: `${queries.length} queries; the plans come with the visitor's entrance`,
    },
    { median: ratio, least: ratio, most: ratio },
    { atMost: 0 },
  );
}

/** Sends a round's requests over a few keep-alive connections. */
async function load(url: string, headers: Record<string, string>, length: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = REQUESTS;
  const ask = () =>
    new Promise<void>((settle, fail) => {
      const request = get(url, { agent, headers }, (answer) => {
        let got = 0;
        answer.on("data", (chunk: Buffer) => {
          got += chunk.length;
        });
        answer.on("end", () =>
          // The time and the nonce in the page may change its length slightly.
          answer.statusCode === 200 && Math.abs(got - length) < 2_000
            ? settle()
            : fail(new Error(`${url} answered ${answer.statusCode} with ${got} bytes`)),
        );
      });
      request.on("error", fail);
    });
  const lane = async () => {
    while (left-- > 0) await ask();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  agent.destroy();
}
