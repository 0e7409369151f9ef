import { connect as openPlainSocket } from "node:net";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { createRepository } from "./outside.ts";
import { createPerson, freshEmail, type JourneyPerson, PASSWORD } from "./person.ts";
import { APP_URL, PORT } from "./stack.ts";
import { addRepositories, connect, GITHUB_LIST, historyUrl, waitForBackup } from "./steps.ts";
