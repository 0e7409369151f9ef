import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "./transport.ts";

/** At most one pending call, and the error of a refused one. */
export type OneRequest = {
  isBusy: boolean;
  refusal: string | null;
  /** Sets or clears the error without a call. */
  refuse: (text: string | null) => void;
  /** Runs the call. Keeps an error of the API as text; other failures are thrown. */
  send: (call: () => Promise<void>) => Promise<void>;
};

/** Sends calls that change something, and tracks whether one is pending and why the last one was refused. */
export function useRequest(): OneRequest {
  const [refusal, refuse] = useState<string | null>(null);
  const { isPending, mutateAsync } = useMutation({ mutationFn: (call: () => Promise<void>) => call() });
  async function send(call: () => Promise<void>) {
    refuse(null);
    try {
      await mutateAsync(call);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      refuse(cause.message);
    }
  }
  return { isBusy: isPending, refusal, refuse, send };
}
