import { configureSync, getConsoleSink, jsonLinesFormatter } from "@logtape/logtape";
import { JWT_PATTERN, redactByField, redactByPattern } from "@logtape/redaction";

/**
 * Patterns of secrets that a provider's message or a URL may contain: GitHub tokens, sealed secrets, and tokens in
 * URLs.
 */
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
 * Writes log records to the console as JSON lines, which Cloudflare collects. Redacts secrets by field name and by
 * pattern. Call it once, when the Worker's script loads.
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
