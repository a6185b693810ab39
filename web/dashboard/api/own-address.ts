import { readBaseUrl } from './base-url.ts'

/**
 * An address of the service as this browser reaches it, which may be through a tunnel: the session holds there. Any other
 * address stays.
 */
export function toOwnAddress(url: string): string {
  return isOwnAddress(url) ? `${location.origin}${url.slice(readBaseUrl().length)}` : url
}

export function isOwnAddress(url: string): boolean {
  return url.startsWith(`${readBaseUrl()}/`)
}
