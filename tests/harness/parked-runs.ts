import type { Services } from "#workers/services.ts";
import { beginLife } from "./effects.ts";
import type { FlowWorld } from "./flow-world.ts";

/** The row of a run between two slices. */
export type ParkedRun = { id: string; kind: string; cursor: string | null; order_json: string | null };

/** Services with short slices: every outgoing request takes minutes. */
export function slowServices({ services, clock }: FlowWorld): Services {
  return {
    ...services,
    fetch: (url, init) => {
      clock.advance(150_000);
      return services.fetch(url, init);
    },
  };
}

/** Services whose slices end at the first opportunity: each read of the clock moves it a minute. */
export function lateServices({ services, clock }: FlowWorld): Services {
  const now = () => {
    clock.advance(60_000);
    return clock.now();
  };
  return { ...services, clock: { now } };
}

/** Moves the clock to the next message and delivers it to the given services. */
export async function deliverNext(world: FlowWorld, services: Services): Promise<void> {
  const nextAt = world.queue.nextAt();
  if (nextAt === null) throw new Error("There is nothing to deliver");
  world.clock.advance(nextAt - world.clock.now());
  await world.deliver(world.queue.take(world.clock.now())!, { life: beginLife(), services });
}

/** Delivers slices until a run of the kind waits between two of them with a cursor that `isWanted` accepts. */
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
