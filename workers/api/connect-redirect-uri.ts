/** Where a platform sends the browser back to; the address that is registered there. */
export function connectRedirectUri(publicUrl: string, platform: string): string {
  return `${publicUrl}/connect/${platform}/callback`;
}
