import { expect, test } from "vitest";
import { contractsAreAbsent } from "#tests/conformance/contracts.ts";
import { openSpecification } from "#tests/conformance/specification.ts";
import { scopesFor } from "./scopes.ts";

/** Every operation that the simulator serves, with the path as the document names it. */
const OPERATIONS = `
GET /myself, GET /user, GET /user/search, GET /user/bulk, GET /users/search, GET /user/assignable/search
GET /mypermissions, GET /license/approximateLicenseCount, GET /instance/license, GET /serverInfo
POST /search/jql, POST /search/approximate-count, POST /issue/bulkfetch, POST /changelog/bulkfetch
GET /issue/{issueIdOrKey}, PUT /issue/{issueIdOrKey}, DELETE /issue/{issueIdOrKey}, PUT /issue/{issueIdOrKey}/assignee
GET /issue/{issueIdOrKey}/changelog, GET /issue/{issueIdOrKey}/editmeta, POST /issue, POST /issue/bulk
GET /issue/createmeta/{projectIdOrKey}/issuetypes, GET /issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}
GET /issue/{issueIdOrKey}/transitions, POST /issue/{issueIdOrKey}/transitions
GET /bulk/issues/transition, POST /bulk/issues/transition, GET /bulk/queue/{taskId}
GET /issue/{issueIdOrKey}/comment, POST /issue/{issueIdOrKey}/comment, PUT /issue/{issueIdOrKey}/comment/{id}
DELETE /issue/{issueIdOrKey}/comment/{id}, POST /comment/list
GET /issue/{issueIdOrKey}/worklog, POST /issue/{issueIdOrKey}/worklog, DELETE /issue/{issueIdOrKey}/worklog/{id}
GET /worklog/updated, GET /worklog/deleted, POST /worklog/list
POST /issue/{issueIdOrKey}/attachments, GET /attachment/content/{id}, GET /attachment/{id}, DELETE /attachment/{id}
GET /issue/{issueIdOrKey}/watchers, POST /issue/{issueIdOrKey}/watchers, DELETE /issue/{issueIdOrKey}/watchers
GET /issue/{issueIdOrKey}/votes, POST /issue/{issueIdOrKey}/votes
GET /issue/{issueIdOrKey}/remotelink, POST /issue/{issueIdOrKey}/remotelink
GET /issue/{issueIdOrKey}/properties, GET /issue/{issueIdOrKey}/properties/{propertyKey}
PUT /issue/{issueIdOrKey}/properties/{propertyKey}, DELETE /issue/{issueIdOrKey}/properties/{propertyKey}
POST /issueLink, GET /issueLink/{linkId}, DELETE /issueLink/{linkId}, GET /issueLinkType
GET /project/search, GET /project/{projectIdOrKey}, POST /project, DELETE /project/{projectIdOrKey}
GET /project/{projectIdOrKey}/statuses, GET /project/{projectIdOrKey}/components, GET /project/{projectIdOrKey}/versions
GET /project/{projectIdOrKey}/version, GET /project/{projectIdOrKey}/role, GET /project/{projectIdOrKey}/role/{id}
GET /project/{projectIdOrKey}/features, GET /project/{projectIdOrKey}/properties
GET /project/{projectIdOrKey}/properties/{propertyKey}, PUT /project/{projectIdOrKey}/properties/{propertyKey}
GET /project/{projectKeyOrId}/permissionscheme, GET /project/{projectKeyOrId}/notificationscheme
GET /project/{projectKeyOrId}/issuesecuritylevelscheme, GET /project/{projectKeyOrId}/securitylevel
POST /component, POST /version, GET /field, GET /field/search, GET /field/{fieldId}/context
GET /field/{fieldId}/context/projectmapping, GET /field/{fieldId}/context/{contextId}/option
GET /status, GET /statuses, GET /statuses/search, GET /issuetype, GET /issuetype/project, GET /priority/search
GET /resolution, GET /filter/search, GET /filter/{id}, POST /workflows, GET /workflows/search
GET /issuetypescheme/project, GET /issuetypescheme/mapping, GET /workflowscheme/project
GET /issuetypescreenscheme/project, GET /issuetypescreenscheme/mapping, GET /screenscheme, GET /screens
GET /screens/{screenId}/tabs, GET /screens/{screenId}/tabs/{tabId}/fields, GET /fieldconfigurationscheme/project
GET /priorityscheme, GET /issuesecurityschemes/level/member`
  .split(/,|\n/)
  .map((operation) => operation.trim())
  .filter((operation) => operation !== "");

test.skipIf(contractsAreAbsent())(
  "each operation asks for the scopes that the published document names",
  () => {
    const specification = openSpecification("jira");
    const wrong = OPERATIONS.flatMap((operation) => {
      const [method = "", path = ""] = operation.split(" ");
      const definition = specification.at(["paths", `/rest/api/3${path}`, method.toLowerCase()]) as {
        security?: Record<string, string[]>[];
      } | null;
      if (definition === null) return [`${operation} does not exist`];
      const declared = (definition.security ?? []).flatMap((one) => one.OAuth2 ?? []);
      const own = scopesFor("platform", method, path.replace(/\{\w+\}/g, "10000"));
      return own.join() === declared.join()
        ? []
        : [`${operation}: ${own.join()} instead of ${declared.join()}`];
    });
    expect(wrong).toEqual([]);
  },
);
