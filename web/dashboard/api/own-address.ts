import { readBaseUrl } from './base-url.ts'

/**
 * Rewrites an address of the service to the origin in this browser, which may be a tunnel's, because the session is
 * valid there. Returns other addresses unchanged.
 */
export function toOwnAddress(url: string): string {
  return isOwnAddress(url) ? `${location.origin}${url.slice(readBaseUrl().length)}` : url
}

export function isOwnAddress(url: string): boolean {
  return url.startsWith(`${readBaseUrl()}/`)
}
