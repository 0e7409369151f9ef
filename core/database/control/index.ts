/** The control plane's tables: people, organisations, connections, subscriptions, outbox, audit. One database. */
export * from "./audit.ts";
export * from "./connection.ts";
export * from "./host.ts";
export * from "./mail.ts";
export * from "./money.ts";
export * from "./people.ts";
export * from "./storage.ts";
