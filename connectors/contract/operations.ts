import type { z } from "zod";
import type { Session } from "./session.ts";
import type { SnapshotView } from "./snapshot-view.ts";

/** What the engine passes to an operation of a connector. */
export type OperationIo = {
  /** A session with the platform for the connected account. */
  session: Session;
  /**
   * Opens a version of an item of this platform. If the caller named an account, the item belongs to it.
   * @throws AppError when the version is missing, or belongs to another platform or account
   */
  openVersion(version: { itemId: string; snapshotId: string }): Promise<OpenedVersion>;
};

/** A version and its item. */
export type OpenedVersion = {
  item: { kind: string; externalId: string; name: string; fullName: string };
  snapshot: SnapshotView;
};

/**
 * A call of the public API that only one platform has. `workers/api` mounts it at `/api/{platform}/{path}`, checks
 * session, origin and input, wraps the result in the envelope, and documents the call in OpenAPI. Errors of `handle`
 * become the same error codes as those of the shared operations.
 *
 * Every operation needs the right to manage the platform. Its session reaches everything that the account can reach, by
 * any id in the input, and only managers may see that. Reading a version needs the same right.
 */
export type ConnectorOperation<
  Input extends z.ZodObject = z.ZodObject,
  Result extends z.ZodType = z.ZodType,
> = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** In kebab-case, e.g. `get-columns`. It must differ from the paths of the platform's dialect. */
  path: string;
  /** A short sentence for OpenAPI. The audit trail shows it too if the operation changes state. */
  summary: string;
  /**
   * The input, with the names of the wire. It is strict and limits the length of every text. GET reads the query, where
   * every value is a text. `workers/api` adds `connection_id`, which selects one of several accounts.
   */
  input: Input;
  /** The `result` of a successful response. Members that the schema does not name are removed. */
  result: Result;
  /** True = the call changes state, and is recorded in the audit trail. */
  isStateChanging: boolean;
  /** @throws ConnectorError */
  handle(io: OperationIo, input: z.output<Input>): Promise<z.input<Result>>;
};

/** Declares an operation. The compiler checks the types of `handle` against the schemas. */
export function defineOperation<Input extends z.ZodObject, Result extends z.ZodType>(
  operation: ConnectorOperation<Input, Result>,
): ConnectorOperation {
  return operation;
}
