import { request } from "./transport.ts";

/**
 * Connects a storage by its keys. The path and the names of the keys come from the storage's descriptor, from which the
 * route is made as well.
 *
 * @throws {ApiError} like `callApi`
 */
export async function callStorageForm(path: string, input: Readonly<Record<string, string>>): Promise<void> {
  await request(`user/${path}`, { method: "POST", body: input });
}
