import { useState } from "react";
import { ApiError } from "./call-api.ts";

/** One call at a time, or why the server refused it. */
export type OneRequest = {
  isBusy: boolean;
  refusal: string | null;
  /** Sets or clears the refusal without a call. */
  refuse: (text: string | null) => void;
  /** Runs the call. A refusal of the server is shown; other failures are thrown. */
  send: (call: () => Promise<void>) => Promise<void>;
};

/** Sends calls and remembers whether one is under way and why the last one was refused. */
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
