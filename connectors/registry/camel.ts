/** The identifier that stands for a folder in generated code: `google-drive` becomes `googleDrive`. */
export function camel(folder: string): string {
  return folder.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
