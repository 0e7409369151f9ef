/** Why an action failed: the server's code and message, with its machine-readable details. */
export type Refusal = {
  ok: false;
  code: string;
  message: string;
  details: Readonly<Record<string, string | number | boolean | null>>;
  requestId: string;
};

/** True for the body of an error response created by `orFailure`. */
export function isRefusal(value: unknown): value is Refusal {
  return (
    typeof value === "object" && value !== null && "ok" in value && value.ok === false && "message" in value
  );
}
