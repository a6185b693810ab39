/** Where clients reach the service, without a slash at the end. The address of this page may be a tunnel's. */
export function readBaseUrl(): string {
  const named = document.querySelector<HTMLMetaElement>('meta[name="docent-base-url"]')?.content ?? ''
  return named === '' ? location.origin : named
}
