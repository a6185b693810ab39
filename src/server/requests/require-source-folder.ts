import { requireAllowedFolder } from '../../sites/sources/require-allowed-folder.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Lets commands on this machine name any folder, and everybody else only those that the settings allow.
 *
 * @param location Of a source, as it was sent; undefined where none was.
 * @throws {AppError} `source_not_allowed`.
 */
export async function requireSourceFolder(
  c: AppContext,
  { sourceFolders }: Pick<ServerDeps, 'sourceFolders'>,
  location: string | undefined,
): Promise<void> {
  if (location === undefined || c.get('actor').kind === 'local') return
  await requireAllowedFolder(sourceFolders, location)
}
