/**
 * Runs before every file of unit tests. The server of the simulators puts a `Request` and a `Response` of its own in place
 * of Node's, which know less. Files share their globals, so each begins with Node's.
 */
const NATIVE = Symbol.for("holdfast.native-globals");
type Native = { Request: unknown; Response: unknown };
const shared = globalThis as { [NATIVE]?: Native };

shared[NATIVE] ??= { Request: globalThis.Request, Response: globalThis.Response };
for (const [name, value] of Object.entries(shared[NATIVE])) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
