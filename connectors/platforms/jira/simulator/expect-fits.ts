import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { contractsAreAbsent } from "#tests/conformance/contracts.ts";
import { openSpecification } from "#tests/conformance/specification.ts";

/**
 * Members that are null although the document declares texts: a change from nothing or to nothing. Evidence: the recorded
 * history in github.com/DaGrisa/agile-metrics, `src/test/resources/jirasoftware/issueChangelog.js`.
 */
const NULL_TOO = /\/items\/\d+\/(from|to|fromString|toString)$/;

/**
 * A value that this list of the document lacks: `product_discovery`. Evidence: its own operation
 * `/project/type/{projectTypeKey}` has it.
 */
const MORE_VALUES = /\/projectTypeKey$/;

/** Operations that answer with a list although the document declares one thing. Evidence: its own examples are lists. */
const LISTS = /^GET \/rest\/api\/3\/issue\/[^/]+\/remotelink$/;

/** Statuses that any operation may answer: limits, credentials, rights, media types, outages. */
const ANYWHERE = new Set([401, 403, 404, 410, 413, 415, 429, 500, 502, 503, 504]);

/**
 * Checks an answer of the platform's API against its published document: the operation exists, declares the status, and
 * the body has the declared members and types.
 * @returns mismatches; empty when it fits, for the Agile API, which has no document here, or without the contracts
 */
export function misfitsOf({ method, url, status, body }: AnsweredExchange): string[] {
  const path = /\/rest\/api\/3\/[^?]*/.exec(url)?.[0];
  if (path === undefined || contractsAreAbsent()) return [];
  const call = `${method} ${path.replace(/\d{5,}/g, "…")} → ${status}`;
  if (status === 429 || status >= 500) return [];
  const specification = openSpecification("jira");
  const operation = specification.findOperation(method, path);
  if (!operation) return status === 404 || status === 410 ? [] : [`${call}: there is no such operation`];
  const responses = operation.definition.responses as Record<string, { content?: object }>;
  const declared = responses[String(status)];
  if (declared === undefined && !ANYWHERE.has(status)) return [`${call}: the status is not declared`];
  if (status >= 300) return isError(body) || status === 303 ? [] : [`${call}: the error has no messages`];
  const place = [
    "paths",
    operation.template,
    operation.method,
    "responses",
    String(status),
    "content",
    "application/json",
    "schema",
  ];
  const validate = declared?.content ? specification.validator(place) : null;
  if (validate === null || body === null || LISTS.test(`${method} ${path}`)) return [];
  validate(body);
  const wrong = (validate.errors ?? [])
    .filter(({ keyword, instancePath }) => keyword !== "type" || !NULL_TOO.test(instancePath))
    .filter(({ keyword, instancePath }) => keyword !== "enum" || !MORE_VALUES.test(instancePath))
    .map(({ instancePath, message }) => `${call}: ${instancePath.replace(/\/\d+/g, "/…")} ${message}`);
  const stray = specification.strayMember(specification.at(place), body);
  return stray === null ? wrong : [...wrong, `${call}: ${stray.replace(/\/\d+/g, "/…")} is not declared`];
}

/** Jira's errors have messages; those of the gateway a code and a message. */
function isError(body: unknown): boolean {
  const { errorMessages, errors, message, issues } = (body ?? {}) as Record<string, unknown>;
  return (
    Array.isArray(errorMessages) ||
    typeof errors === "object" ||
    typeof message === "string" ||
    Array.isArray(issues)
  );
}
