import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createSession } from "#core/accounts/index.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { accountHub } from "#durable-objects/stubs.ts";
import { type Answer, httpBindings, type SecurityWorld, sendTo } from "#tests/security/security-world.ts";
import { buildServices, type Services } from "#workers/services.ts";

/** A person with a browser: it keeps its cookies. */
export type Visitor = {
  userId: string;
  organisationId: string;
  sessionId: string;
  cookies: Map<string, string>;
  /** Opens a page; with other bindings, through those. */
  open: (path: string, bindings?: Env) => Promise<Answer>;
  headers: () => Headers;
};

/** The product of the world with its real hubs. */
export function productOf(world: SecurityWorld): { bindings: Env; services: Services } {
  const bindings = httpBindings(world.flow);
  return { bindings, services: buildServices(bindings) };
}

/** Signs a person in. */
export async function visit(world: SecurityWorld, userId: string): Promise<Visitor> {
  const { bindings, services } = productOf(world);
  const opened = await createSession(services, { userId, isRemembered: false });
  const cookies = new Map<string, string>();
  const take = (lines: readonly string[]) => {
    for (const line of lines) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  take(opened.setCookie);
  const headers = () =>
    new Headers({ Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  return {
    userId,
    organisationId: opened.member.organisationId,
    sessionId: opened.session.id,
    cookies,
    headers,
    open: async (path, through = bindings) => {
      const answer = await sendTo(through, { method: "GET", path, headers: Object.fromEntries(headers()) });
      take(answer.headers.getSetCookie());
      return answer;
    },
  };
}

/** Waits until the organisation's hub has a leased copy of the visitor's session. */
export async function settle(visitor: Visitor): Promise<void> {
  const key = await tokenHashOf(visitor);
  for (let tries = 0; tries < 100; tries++) {
    const answer = await accountHub(env, visitor.organisationId).enter(key);
    if (answer.kind === "known" && answer.isLeased) return;
    if (tries % 10 === 0) await visitor.open("/payment-history");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the hub never learned the session");
}

export async function tokenHashOf({ cookies }: Visitor): Promise<string> {
  const token = [...cookies].find(([name]) => name.endsWith("session_token"))?.[1] ?? "";
  return sha256Hex(token);
}

/** Ends the hub's memory; what it has stored stays. */
export const evictHub = ({ organisationId }: Visitor) => evictDurableObject(accountHub(env, organisationId));

/** Bindings whose hub does something else at a call. */
export function withHub(
  bindings: Env,
  members: Record<
    string,
    (call: (...values: unknown[]) => Promise<unknown>, ...values: unknown[]) => Promise<unknown>
  >,
): Env {
  const real = bindings.ACCOUNT_HUB;
  const getByName = (name: string) => {
    const stub = real.getByName(name);
    return new Proxy(stub, {
      get: (_, method) => {
        const value: unknown = Reflect.get(stub, method, stub);
        if (typeof method !== "string" || typeof value !== "function") return value;
        const call = (...values: unknown[]) => Reflect.apply(value, stub, values) as Promise<unknown>;
        const other = members[method];
        return other ? (...values: unknown[]) => other(call, ...values) : call;
      },
    });
  };
  return { ...bindings, ACCOUNT_HUB: { getByName } } as unknown as Env;
}
