import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";

/** Context of every HTTP handler. */
export type ApiEnv = {
  Bindings: Env;
  Variables: {
    services: Services;
    /** Identifies the request in logs and in the `X-Request-Id` header. */
    requestId: string;
    /** The nonce for this response's scripts (Content-Security-Policy). */
    nonce: string;
    /** Null when nobody is signed in. Never null in routes behind `requireMember`. */
    member: Member | null;
    sessionId: string | null;
    /** True for a request that may write; the few GETs of the specification that do set it. */
    isWrite: boolean;
  };
};
