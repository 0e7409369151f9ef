import { useNavigate } from "@remix-run/react";
import { useState } from "react";
import { loadOnce } from "#app/load-once.ts";
import type { Credentials, SignInTrouble } from "./sign-in-calls.ts";

/** Code that runs after the first interaction with the form. */
export const loadFlow = loadOnce(() => import("./sign-in-flow.ts"));

/** The pending second-factor challenge. */
export type Challenge = { expiresAt: number; isRemembered: boolean };

export type SignInFlow = {
  isBusy: boolean;
  trouble: SignInTrouble | null;
  challenge: Challenge | null;
  signIn: (credentials: Credentials) => Promise<void>;
  /** Called when the second factor was accepted. */
  accept: (sub: string) => Promise<void>;
  /** Opens the dialog for a sign-in that began elsewhere. */
  ask: (challenge: Challenge) => void;
  cancel: () => void;
  forget: () => void;
};

/** The sign-in flow: credentials, the second factor if required, then the first page. */
export function useSignIn(next: string | null): SignInFlow {
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState<SignInTrouble | null>(null);
  const [challenge, setChallenge] = useState<Challenge | null>(null);

  async function goIn(sub: string, isRemembered: boolean) {
    const { goIn: enter } = await loadFlow();
    const entered = await enter(sub, { isRemembered, next });
    if (entered.kind === "in") {
      navigate(entered.to, { replace: true });
      return;
    }
    setIsBusy(false);
    setChallenge(null);
    setTrouble({ kind: "later", text: entered.text });
  }

  async function signIn(credentials: Credentials) {
    setIsBusy(true);
    setTrouble(null);
    const { showCredentials } = await loadFlow();
    const shown = await showCredentials(credentials);
    if (shown.kind === "session") return goIn(shown.sub, credentials.rememberMe);
    if (shown.kind === "trouble") setTrouble(shown.trouble);
    else setChallenge({ expiresAt: shown.expiresAt, isRemembered: credentials.rememberMe });
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
