import { readFileSync } from "node:fs";
import { buildSchema } from "graphql";

/**
 * What the simulator answers of GitHub's schema. A test compares it with the one that GitHub publishes, so a document
 * that is valid here is valid there. To answer one more field, copy its line from `@octokit/graphql-schema`.
 */
export const schema = buildSchema(readFileSync(new URL("./schema.graphql", import.meta.url), "utf8"));
