import type { z } from "zod";
import type { StripeWorld } from "./state.ts";

/** What a call gives its handler. */
export type Call<P> = {
  world: StripeWorld;
  params: P;
  /** The id in the path; an empty text when there is none. */
  id: string;
  /** The second id in the path. */
  subId: string;
  /** The names of the parameters that were given. */
  given: string[];
  url: string;
  /** Whether a browser calls, with the publishable key. */
  isPublic: boolean;
};

/** An endpoint: its method and path, the parameters that it takes, and what it does. */
export type Endpoint = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  params: z.ZodType;
  /** Whether the publishable key may call it. */
  isPublic: boolean;
  handle(call: Call<unknown>): unknown;
};

/** Declares an endpoint. Whatever `params` does not name is refused. */
export function endpoint<P extends z.ZodType>(
  route: `${Endpoint["method"]} /v1/${string}`,
  params: P,
  handle: (call: Call<z.output<P>>) => unknown,
  { isPublic = false }: { isPublic?: boolean } = {},
): Endpoint {
  const [method, path] = route.split(" ") as [Endpoint["method"], string];
  return { method, path, params, isPublic, handle: handle as Endpoint["handle"] };
}
