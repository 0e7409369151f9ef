import { Ajv, type Options } from "ajv";

/**
 * A validator for contracts. A test uses each schema only a few times, so its code is generated without optimisation,
 * in a quarter of the time.
 */
export function openAjv(options: Options = {}): Ajv {
  return new Ajv({ strict: false, inlineRefs: false, code: { optimize: false }, ...options });
}
