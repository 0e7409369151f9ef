/** One entry of `errors`. */
export type GraphqlError = {
  type?: string;
  path?: readonly (string | number)[] | undefined;
  locations?: readonly { line: number; column: number }[] | undefined;
  extensions?: Record<string, unknown>;
  message: string;
};
