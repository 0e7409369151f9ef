/**
 * Queue messages. One definition for each, with its queue and its payload's schema; the compiler demands a handler
 * for every one of them in `workers/queues/handlers.ts`.
 */
export * from "./jobs.ts";
