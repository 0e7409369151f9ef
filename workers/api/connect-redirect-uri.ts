/** The OAuth redirect URI of a platform, as registered there. */
export function connectRedirectUri(publicUrl: string, platform: string): string {
  return `${publicUrl}/connect/${platform}/callback`;
}
