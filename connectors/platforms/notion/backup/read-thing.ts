import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { paths } from "../client.ts";
import {
  blockSchema,
  databaseSchema,
  dataSourceSchema,
  type NotionBlock,
  type NotionDatabase,
  type NotionDataSource,
  type NotionPage,
  pageSchema,
} from "../payloads.ts";
import type { Work } from "./workspace-run.ts";

/** Reads a page. @throws ConnectorError `gone` when Notion does not find it */
export function readPage(work: Work, pageId: string): Promise<NotionPage> {
  const call = { method: "GET", path: paths.page(pageId), about: "this page" } as const;
  return work.client.request(call, pageSchema);
}

/** Reads a block. @throws ConnectorError `gone` when Notion does not find it */
export function readBlock(work: Work, blockId: string): Promise<NotionBlock> {
  const call = { method: "GET", path: paths.block(blockId), about: "this block" } as const;
  return work.client.request(call, blockSchema);
}

/** Reads a database. @throws ConnectorError `gone` when Notion does not find it */
export function readDatabase(work: Work, databaseId: string): Promise<NotionDatabase> {
  const call = { method: "GET", path: paths.database(databaseId), about: "this database" } as const;
  return work.client.request(call, databaseSchema);
}

/** Reads a data source. @throws ConnectorError `gone` when Notion does not find it */
export function readSource(work: Work, sourceId: string): Promise<NotionDataSource> {
  const call = { method: "GET", path: paths.dataSource(sourceId), about: "this data source" } as const;
  return work.client.request(call, dataSourceSchema);
}

/** What was read, or null when Notion does not give it. @throws ConnectorError when reading failed in another way */
export async function withinReach<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isOutOfReach(error)) return null;
    throw error;
  }
}
