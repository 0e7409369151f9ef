/** A request that a simulator answered, for tests to count and inspect. */
export type LoggedRequest = {
  number: number;
  /** Epoch milliseconds of its arrival. */
  at: number;
  method: string;
  /** Path with its query. */
  path: string;
  /** null while the response is pending, or when the connection was dropped without one. */
  status: number | null;
  bytesIn: number;
  bytesOut: number;
  /** Kind of the fault that was injected, if any. */
  fault: string | null;
};

/** A request that no real platform would accept: tests assert that there is none. */
export type Refusal = {
  kind: "unknown" | "refused";
  method: string;
  path: string;
  status: number;
  reason: string;
};

/** The requests that a simulator received; the oldest are dropped beyond a limit. */
export type RequestLog = {
  open(method: string, path: string): LoggedRequest;
  requests(): readonly LoggedRequest[];
  refuse(refusal: Refusal): void;
  refusals(): readonly Refusal[];
  reset(): void;
};

const KEPT_REQUESTS = 20_000;

/** Creates an empty log. */
export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  let refusals: Refusal[] = [];
  let number = 0;
  return {
    open(method, path) {
      number += 1;
      const entry = {
        number,
        at: Date.now(),
        method,
        path,
        status: null,
        bytesIn: 0,
        bytesOut: 0,
        fault: null,
      };
      requests.push(entry);
      if (requests.length > KEPT_REQUESTS) requests = requests.slice(-KEPT_REQUESTS / 2);
      return entry;
    },
    requests: () => requests,
    refuse(refusal) {
      refusals.push(refusal);
    },
    refusals: () => refusals,
    reset() {
      requests = [];
      refusals = [];
    },
  };
}
