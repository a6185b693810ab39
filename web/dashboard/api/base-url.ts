/** Where clients reach the service, without a trailing slash. The browser's address may be a tunnel's. */
export function readBaseUrl(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="docent-base-url"]')?.content ?? ''
  return named === '' ? location.origin : named
}
