import { readFileSync } from "node:fs";
import { buildSchema } from "graphql";

/**
 * The part of GitHub's schema that the simulator supports. A test compares it with the published schema, so a document
 * that is valid here is valid there. To add a field, copy its line from `@octokit/graphql-schema`.
 */
export const schema = buildSchema(readFileSync(new URL("./schema.graphql", import.meta.url), "utf8"));
