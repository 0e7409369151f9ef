import type { Services } from "#workers/services.ts";
import { beginLife } from "./effects.ts";
import type { FlowWorld } from "./flow-world.ts";

/** A run between two slices, as its row tells. */
export type ParkedRun = { id: string; kind: string; cursor: string | null; order_json: string | null };

/** Services under which slices are soon over: every request outside takes minutes. */
export function slowServices({ services, clock }: FlowWorld): Services {
  return {
    ...services,
    fetch: (url, init) => {
      clock.advance(150_000);
      return services.fetch(url, init);
    },
  };
}

/** Services under which every slice is over at its first point: each look at the clock finds it a minute later. */
export function lateServices({ services, clock }: FlowWorld): Services {
  const now = () => {
    clock.advance(60_000);
    return clock.now();
  };
  return { ...services, clock: { now } };
}

/** Delivers the next message, when its time has come, to services of the test's own. */
export async function deliverNext(world: FlowWorld, services: Services): Promise<void> {
  const nextAt = world.queue.nextAt();
  if (nextAt === null) throw new Error("There is nothing to deliver");
  world.clock.advance(nextAt - world.clock.now());
  await world.deliver(world.queue.take(world.clock.now())!, { life: beginLife(), services });
}

/** Delivers slice by slice until a run of the kind waits between two of them with a cursor that is wanted. */
export async function parkRun(
  world: FlowWorld,
  kind: ParkedRun["kind"],
  isWanted: (cursor: string) => boolean = () => true,
): Promise<ParkedRun> {
  for (;;) {
    const [run] = await world.rows<ParkedRun>(
      "SELECT id, kind, cursor, order_json FROM run WHERE kind = ? AND status = 'queued' AND cursor IS NOT NULL",
      kind,
    );
    if (run?.cursor && isWanted(run.cursor)) return run;
    const isCheck = world.queue.letters[0]?.body.job === "verify-snapshot";
    await deliverNext(world, isCheck ? lateServices(world) : slowServices(world));
  }
}
