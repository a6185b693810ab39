import { isLoopbackHost } from '../base/loopback-host.ts'
import type { Settings } from '../config/settings.ts'

/**
 * A warning for a server reachable without encryption; null if only this machine can reach it, or clients use HTTPS.
 */
export function warnPlainHttp({ host, baseUrl }: Pick<Settings, 'host' | 'baseUrl'>): string | null {
  if (isLoopbackHost(host) || baseUrl?.startsWith('https:') === true) return null
  return `HOST is ${host}, so other machines can reach this server over plain HTTP and anyone on the way can read keys, sessions and questions. Put an HTTPS proxy in front and set DOCENT_BASE_URL to its address, or set HOST to 127.0.0.1.`
}
