import { useMutation } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { ApiError } from "./transport.ts";

/** At most one pending call, and the error of a refused one. */
export type OneRequest = {
  isBusy: boolean;
  /** The last call succeeded. A page that leaves then stays busy. */
  isDone: boolean;
  /** Why the last call was refused, or what `refuse` has set. */
  refusal: string | null;
  /** The error of the last call, for screens that show more than its text. */
  failure: ApiError | null;
  /** Sets or clears the text without a call. Null also clears the error. */
  refuse: (text: string | null) => void;
  /**
   * Runs the call. Keeps an error of the API; other failures are thrown.
   *
   * @returns whether it succeeded
   */
  send: (call: () => Promise<unknown>) => Promise<boolean>;
};

/** Sends calls that change something, and tracks whether one is pending and why the last one was refused. */
export function useRequest(): OneRequest {
  const [text, setText] = useState<string | null>(null);
  const { error, isPending, isSuccess, mutateAsync, reset } = useMutation({
    mutationFn: (call: () => Promise<unknown>) => call(),
  });
  const refuse = useCallback(
    (next: string | null) => {
      setText(next);
      if (next === null) reset();
    },
    [reset],
  );
  async function send(call: () => Promise<unknown>) {
    setText(null);
    try {
      await mutateAsync(call);
      return true;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      return false;
    }
  }
  const refusal = text ?? (error?.isShown ? null : (error?.message ?? null));
  return { isBusy: isPending, isDone: isSuccess, refusal, failure: error, refuse, send };
}
