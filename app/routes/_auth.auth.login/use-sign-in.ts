import { useNavigate } from "@remix-run/react";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { lastPageOf } from "#app/session/last-page.ts";
import { beginSession, browserStores, endMarker } from "#app/session/marker.ts";
import { safeNext } from "#app/session/safe-next.ts";
import { enter } from "./enter.ts";
import { oweStartInfo } from "./owed-start-info.ts";
import { type Credentials, type SignInTrouble, signInCall, troubleOf } from "./sign-in-calls.ts";

/** The second factor that is still asked for. */
export type Challenge = { expiresAt: number; isRemembered: boolean };

export type SignInFlow = {
  isBusy: boolean;
  trouble: SignInTrouble | null;
  challenge: Challenge | null;
  signIn: (credentials: Credentials) => Promise<void>;
  /** The second factor was accepted. */
  accept: (sub: string) => Promise<void>;
  /** Opens the dialog for a sign-in that began elsewhere. */
  ask: (challenge: Challenge) => void;
  cancel: () => void;
  forget: () => void;
};

/** The way in: credentials, the second factor when the account asks for it, then the first page. */
export function useSignIn(next: string | null): SignInFlow {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState<SignInTrouble | null>(null);
  const [challenge, setChallenge] = useState<Challenge | null>(null);

  async function goIn(sub: string, isRemembered: boolean) {
    const stores = browserStores();
    const entered = await enter({
      call: callApi,
      beginSession: () => void beginSession(stores, { sub, isRemembered, now: Date.now() }),
      endSession: () => endMarker(stores),
      oweStartInfo: () => void oweStartInfo(stores.session),
    });
    if (entered.kind === "in") {
      navigate(next === null ? (lastPageOf(stores.local, sub) ?? "/") : safeNext(next), { replace: true });
      return;
    }
    setIsBusy(false);
    setChallenge(null);
    setTrouble({ kind: "later", text: entered.text });
  }

  async function signIn(credentials: Credentials) {
    setIsBusy(true);
    setTrouble(null);
    try {
      const answer = await signInCall(credentials);
      if (answer.kind === "session") return await goIn(answer.user.sub, credentials.rememberMe);
      setChallenge({ expiresAt: answer.expires_at, isRemembered: credentials.rememberMe });
    } catch (error) {
      setTrouble(troubleOf(error, credentials.email));
    }
    setIsBusy(false);
  }

  return {
    isBusy,
    trouble,
    challenge,
    signIn,
    accept: (sub: string) => goIn(sub, challenge?.isRemembered ?? false),
    ask: setChallenge,
    cancel: () => setChallenge(null),
    forget: () => setTrouble(null),
  };
}
