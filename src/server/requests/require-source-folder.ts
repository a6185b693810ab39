import { requireAllowedFolder } from '../../sites/sources/require-allowed-folder.ts'
import type { AppContext } from '../app-env.ts'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Commands on this machine may name any folder; everyone else only those that the settings allow.
 *
 * @param location Location of a source, as received; undefined if none was sent.
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
