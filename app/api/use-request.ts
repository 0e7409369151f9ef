import { useState } from "react";
import { ApiError } from "./call-api.ts";

/** At most one pending call, and the error of a refused one. */
export type OneRequest = {
  isBusy: boolean;
  refusal: string | null;
  /** Sets or clears the error without a call. */
  refuse: (text: string | null) => void;
  /** Runs the call. Keeps an error of the API as text; other failures are thrown. */
  send: (call: () => Promise<void>) => Promise<void>;
};

/** Sends calls and tracks whether one is pending and why the last one was refused. */
export function useRequest(): OneRequest {
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, refuse] = useState<string | null>(null);
  async function send(call: () => Promise<void>) {
    setIsBusy(true);
    refuse(null);
    try {
      await call();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      refuse(cause.message);
    }
    setIsBusy(false);
  }
  return { isBusy, refusal, refuse, send };
}
