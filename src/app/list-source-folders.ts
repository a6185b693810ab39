import { isLoopbackHost } from '../base/loopback-host.ts'
import type { Settings } from '../config/settings.ts'

/**
 * The folders that sites may be read from when a key or a session asks. Without a setting every folder, as long as
 * whoever asks is on this machine: a server that others reach would lend them its eyes.
 */
export function listSourceFolders({
  sourceFolders,
  host,
  baseUrl,
}: Pick<Settings, 'sourceFolders' | 'host' | 'baseUrl'>): string[] {
  if (sourceFolders !== undefined) return sourceFolders.split(',').map((folder) => folder.trim())
  return isLoopbackHost(host) && baseUrl === undefined ? ['/'] : []
}
