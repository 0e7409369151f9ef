/**
 * Runs before every unit test file. The simulators' server replaces Node's `Request` and `Response` with less capable
 * ones. Files share their globals, so this restores Node's.
 */
const NATIVE = Symbol.for("holdfast.native-globals");
type Native = { Request: unknown; Response: unknown };
const shared = globalThis as { [NATIVE]?: Native };

shared[NATIVE] ??= { Request: globalThis.Request, Response: globalThis.Response };
for (const [name, value] of Object.entries(shared[NATIVE])) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
