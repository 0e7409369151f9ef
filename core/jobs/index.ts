/**
 * Queue messages. Each has one definition with its queue and the schema of its payload. The compiler requires a handler
 * for each in `workers/queues/handlers.ts`.
 */
export * from "./jobs.ts";
