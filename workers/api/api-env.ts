import type { Member } from "#core/organisations/index.ts";
import type { Services } from "#workers/services.ts";

/** What every handler behind the doors finds in its context. */
export type ApiEnv = {
  Bindings: Env;
  Variables: {
    services: Services;
    /** Names the request in logs and in the `X-Request-Id` header. */
    requestId: string;
    /** For scripts of this answer (Content-Security-Policy). */
    nonce: string;
    /** Null = nobody is signed in. Routes behind `requireMember` may rely on it. */
    member: Member | null;
    sessionId: string | null;
  };
};
