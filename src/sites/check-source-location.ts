import { isAbsolute } from 'node:path'
import { AppError } from '../contract/app-error.ts'
import { isRemoteLocation, parseRemoteUrl } from '../git/remote-url.ts'
import type { SiteSource } from '../store/sites.ts'

/**
 * Refuses a source that can be told to be wrong by its name.
 *
 * @throws {AppError} `invalid_request` for a relative path, which would mean something else for each folder that the
 *   server may be started in; for an address that is not https or holds a credential; for a folder with an address.
 */
export function checkSourceLocation({ kind, location }: Pick<SiteSource, 'kind' | 'location'>): void {
  if (isRemoteLocation(location)) {
    parseRemoteUrl(location)
    if (kind === 'folder') throw refuse('A folder has no address. Say that the source is a git repository.')
  } else if (!isAbsolute(location)) {
    throw refuse(`The source ${location} is not an absolute path. Name the folder or repository from the root on.`)
  }
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}
