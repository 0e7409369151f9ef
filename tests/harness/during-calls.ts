import type { Uses } from "#core/services.ts";

/** Services whose buckets let something happen before or after each call of one kind: what a rival does meanwhile. */
export function duringCalls<S extends Uses<"bucket">>(
  services: S,
  call: "put" | "delete",
  act: { before?: () => Promise<unknown>; after?: () => Promise<unknown> },
): S {
  const bucket: S["bucket"] = (region) => {
    const own = services.bucket(region);
    return new Proxy(own, {
      get: (_, name) => {
        const method = Reflect.get(own, name).bind(own);
        if (name !== call) return method;
        return async (...values: unknown[]) => {
          await act.before?.();
          const answer = await method(...values);
          await act.after?.();
          return answer;
        };
      },
    });
  };
  return { ...services, bucket };
}
