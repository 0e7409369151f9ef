import { customType } from "drizzle-orm/sqlite-core";

/**
 * A column of JSON that its reader parses by a schema. Text that is no JSON comes as it is, so that one bad row cannot
 * make a query fail.
 */
export const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => "text",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
});
