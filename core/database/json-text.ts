import { customType } from "drizzle-orm/sqlite-core";

/**
 * A JSON column whose reader parses it with a schema. Text that is not valid JSON is returned unchanged, so that one
 * bad row cannot make a query fail.
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
