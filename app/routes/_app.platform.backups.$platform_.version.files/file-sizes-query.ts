import { queryOptions } from "@tanstack/react-query";
import { callApi, type InputOf } from "#app/api/call-api.ts";
import type { ApiError } from "#app/api/transport.ts";

/** The sizes of the files of a folder, by name. Without them the page still shows the folder. */
export const fileSizesQuery = (folder: InputOf<"GET versions/file-sizes">) =>
  queryOptions<ReadonlyMap<string, number>, ApiError>({
    queryKey: ["file-sizes", folder],
    queryFn: async ({ signal }) => {
      const { result } = await callApi("GET versions/file-sizes", folder, { signal, isQuiet: true });
      return new Map(result.map(({ name, sizeBytes }) => [name, sizeBytes]));
    },
  });
