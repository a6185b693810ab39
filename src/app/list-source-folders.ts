import { isLoopbackHost } from '../base/loopback-host.ts'
import type { Settings } from '../config/settings.ts'

/**
 * Folders that sites may be read from on request of a key or session. By default every folder, but only while just this
 * machine can reach the server: otherwise remote users could read its files.
 */
export function listSourceFolders({
  sourceFolders,
  host,
  baseUrl,
}: Pick<Settings, 'sourceFolders' | 'host' | 'baseUrl'>): string[] {
  if (sourceFolders !== undefined) return sourceFolders.split(',').map((folder) => folder.trim())
  return isLoopbackHost(host) && baseUrl === undefined ? ['/'] : []
}
