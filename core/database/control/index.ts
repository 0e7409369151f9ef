/** The control plane's tables: people, organisations, connections, subscriptions, outbox. One database. */
export * from "./connection.ts";
export * from "./mail.ts";
export * from "./money.ts";
export * from "./people.ts";
