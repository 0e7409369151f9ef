import { configureSync, getConsoleSink, jsonLinesFormatter } from "@logtape/logtape";
import { JWT_PATTERN, redactByField, redactByPattern } from "@logtape/redaction";

/** Tokens that a sentence of a provider or a URL could carry: GitHub's, sealed secrets, and what addresses carry. */
const SECRETS = [
  JWT_PATTERN,
  { pattern: /\bgh[a-z]_[A-Za-z0-9_]{8,}/g, replacement: "gh•_[redacted]" },
  { pattern: /\bs1\.[A-Za-z0-9_-]{16,}/g, replacement: "s1.[redacted]" },
  { pattern: /\/\/[^/\s:@]+:[^/\s@]+@/g, replacement: "//[redacted]@" },
  { pattern: /\/(download|clone)\/[^/\s"?#]+/gi, replacement: "/$1/[redacted]" },
  { pattern: /([?&](?:content|iv|code|state|token)=)[^&\s"#]+/gi, replacement: "$1[redacted]" },
];
const SECRET_FIELDS = [/token/i, /secret/i, /password/i, /authorization/i, /cookie/i, /^code$/i, /verifier/i];

/**
 * Where log records go: one JSON line each to the console, which the platform collects. Secrets are taken out by the
 * name of their field and by their look. Called once when the Worker's script is loaded.
 */
export function configureLogging(): void {
  const lines = getConsoleSink({ formatter: redactByPattern(jsonLinesFormatter, SECRETS) });
  configureSync({
    reset: true,
    sinks: { console: redactByField(lines, SECRET_FIELDS) },
    loggers: [
      { category: "holdfast", lowestLevel: "info", sinks: ["console"] },
      { category: ["logtape", "meta"], lowestLevel: "warning", sinks: ["console"] },
    ],
  });
}
