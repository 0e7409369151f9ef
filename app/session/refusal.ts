/** Why an action was refused: the server's code and sentence, with its machine-readable extras. */
export type Refusal = {
  ok: false;
  code: string;
  message: string;
  details: Readonly<Record<string, string | number | boolean | null>>;
  requestId: string;
};

/** True for the body of an error answer made by `orFailure`. */
export function isRefusal(value: unknown): value is Refusal {
  return (
    typeof value === "object" && value !== null && "ok" in value && value.ok === false && "message" in value
  );
}
