/**
 * Privacy: platforms that want it are told once a week whose names the versions hold, and what they answer goes to the next
 * backups. Only ids are stored here, never names.
 */
export { listPeopleNews } from "./people.store.ts";
export { queuePeopleReports, reportPeople } from "./report-people.ts";
