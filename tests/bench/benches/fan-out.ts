import { once } from "node:events";
import { type Bench, check, finding, timed, withRuntime } from "../bench.ts";
import { type Pair, ratioOf } from "../statistics.ts";

/** Events per round; the slowest of a hundred is the p99. */
const EVENTS = 100;

/**
 * P12: one event to every open screen of an organisation, from the publication to the last screen's receipt, against a
 * bare object that sends the same text to as many hibernating sockets.
 */
export const fanOut: Bench = {
  id: "P12",
  run: (ground) =>
    withRuntime(ground, async (runtime, world) => {
      const { sockets: count, rounds } = ground.sizes;
      const base = runtime.url.replace("http", "ws");
      const ours = await openScreens(`${base}/live/ours?organisation=${world.organisationId}`, count);
      const bare = await openScreens(`${base}/live/bare`, count);
      // The hub welcomes each socket.
      await ours.received(count);
      const publish = async (screens: Screens, path: string, event: object) => {
        const [milliseconds] = await timed(async () => {
          await Promise.all([screens.received(count), runtime.call(path, { world, event })]);
        });
        return milliseconds;
      };
      const slowest: Pair[] = [];
      const usual: Pair[] = [];
      for (let round = 0; round <= rounds; round++) {
        const times: Record<"ours" | "bare", number[]> = { ours: [], bare: [] };
        for (let at = 0; at < EVENTS; at++) {
          const event = eventOf(round * EVENTS + at);
          times.ours.push(await publish(ours, "/live/publish", event));
          times.bare.push(await publish(bare, "/live/broadcast", event));
        }
        const [mine, theirs] = [times.ours, times.bare].map((all) => all.toSorted((a, b) => a - b));
        ground.say(
          `median ${mine![50]!.toFixed(1)} ms, bare ${theirs![50]!.toFixed(1)}; p99 ${mine![98]!.toFixed(1)} ms, bare ${theirs![98]!.toFixed(1)}`,
        );
        if (round === 0) continue;
        usual.push({ ours: mine![50]!, theirs: theirs![50]! });
        slowest.push({ ours: mine![98]!, theirs: theirs![98]! });
      }
      ours.close();
      bare.close();
      const note = `${count} sockets, ${EVENTS} events a round, ${rounds} rounds, in turns`;
      const what = "from an event to the last open screen / a bare broadcast";
      return [
        finding({ id: "P12", what: `median ${what}`, note }, ratioOf(usual), { atMost: 1.3 }),
        finding({ id: "P12", what: `p99 ${what}`, note }, ratioOf(slowest), { atMost: 1.3 }),
      ];
    }),
};

const eventOf = (at: number) => ({
  ...{ method: "item-status", platform: "github", id: `itm_${String(at).padStart(12, "0")}` },
  ...{ type: "backup", status: "success", date: 1_790_000_000_000 + at, data_size: 0, errorText: null },
  ...{ runId: `run_${String(at).padStart(12, "0")}`, actionProcess: null },
});

type Screens = { received: (count: number) => Promise<void>; close: () => void };

/** Opens sockets and counts what they receive. */
async function openScreens(url: string, count: number): Promise<Screens> {
  let unread = 0;
  let waiting: { count: number; settle: () => void } | null = null;
  const take = () => {
    if (waiting === null || unread < waiting.count) return;
    unread -= waiting.count;
    waiting.settle();
    waiting = null;
  };
  const sockets = Array.from({ length: count }, () => new WebSocket(url));
  for (const socket of sockets)
    socket.addEventListener("message", () => {
      unread += 1;
      take();
    });
  await Promise.all(
    sockets.map(async (socket) => {
      if (socket.readyState === WebSocket.CONNECTING) await once(socket, "open");
      check(socket.readyState === WebSocket.OPEN, "an open socket");
    }),
  );
  return {
    received: (wanted) =>
      new Promise((settle) => {
        waiting = { count: wanted, settle };
        take();
      }),
    close() {
      for (const socket of sockets) socket.close();
    },
  };
}
