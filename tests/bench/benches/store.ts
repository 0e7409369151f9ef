import { type Bench, check, finding, size, timed, withRuntime } from "../bench.ts";
import { type Pair, ratioOf } from "../statistics.ts";

/** P4: the cost of hashing and encrypting a stream before it is stored. */
export const storeStream: Bench = {
  id: "P4",
  run: (ground) =>
    withRuntime(ground, async (runtime, world) => {
      const bytes = ground.sizes.storeBytes;
      const pairs: Pair[] = [];
      const hashes = new Set<string>();
      for (let round = 0; round <= ground.sizes.rounds; round++) {
        const order = { world, bytes };
        const [ours, object] = await timed(() =>
          runtime.call<{ hash: string; sizeBytes: number }>("/store/ours", order),
        );
        const [bare, put] = await timed(() => runtime.call<{ bytes: number }>("/store/bare", order));
        hashes.add(object.hash);
        check(object.sizeBytes === bytes && put.bytes === bytes, "the length of what was stored");
        // Reading back checks every frame and the hash.
        const proved = await runtime.call<{ bytes: number }>("/store/prove", { world, object });
        check(proved.bytes === bytes && hashes.size === 1, "the hash of what was stored");
        ground.say(`${size(bytes)}: ours ${ours.toFixed(0)} ms, bare ${bare.toFixed(0)} ms`);
        // A throughput ratio, so the times are swapped.
        if (round > 0) pairs.push({ ours: bare, theirs: ours });
      }
      const note = `${size(bytes)} in parts of 8 MiB, one uploading while the next one fills, ${ground.sizes.rounds} rounds`;
      const what = "stream → SHA-256, CRC-32, AES-256-GCM → multipart / bare multipart, throughput";
      const bound =
        "the CPU that hash, checksum and cipher take on workerd's one thread, beside the local bucket's own";
      return [finding({ id: "P4", what, note, bound }, ratioOf(pairs), { atLeast: 0.9 })];
    }),
};
