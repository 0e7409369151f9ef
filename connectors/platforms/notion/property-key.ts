/** The id of a property in one form: schemas and pages encode its signs for URLs, views may not. */
export function propertyKey(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
