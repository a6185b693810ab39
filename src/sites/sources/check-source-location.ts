import { isAbsolute } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { readForgeLocation } from '../../codehost/forge/forge-location.ts'
import { readScope } from '../../crawl/crawl-scope.ts'
import { isRemoteLocation, parseRemoteUrl } from '../../git/remotes/remote-url.ts'
import type { SiteSource } from '../../store/sites/sites.ts'

const repositoryName = /^[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}$/

/**
 * Refuses a source that can be told to be wrong by its name. Which hosts a crawl may reach is decided when it dials
 * them, because a name can lead elsewhere by then.
 *
 * @throws {AppError} `invalid_request` for a relative path, which would mean something else for each folder that the
 *   server may be started in; for an address that is not https or holds a credential; for a folder with an address;
 *   for a crawl of something else than a website.
 */
export function checkSourceLocation(source: SiteSource): void {
  const { kind, location } = source
  if (kind === 'crawl') checkCrawl(source)
  else if (readForgeLocation(source) !== null) return
  else if (kind === 'builtin') {
    if (!repositoryName.test(location)) {
      throw refuse('The name of a repository of the built-in host is written like "default/docs".')
    }
  } else if (isRemoteLocation(location)) {
    parseRemoteUrl(location)
    if (kind === 'folder') throw refuse('A folder has no address. Say that the source is a git repository or a crawl.')
  } else if (!isAbsolute(location)) {
    throw refuse(`The source ${location} is not an absolute path. Name the folder or repository from the root on.`)
  }
}

function checkCrawl({ location, ref, subdirectory }: SiteSource): void {
  const url = URL.parse(location)
  // Told apart first, because the sentence below repeats the address.
  if (url !== null && `${url.username}${url.password}` !== '') {
    throw refuse('The address of the site holds a user name or a password. A crawl reads what anybody can read.')
  }
  const scope = readScope(location, true)
  if ('fault' in scope) throw refuse(scope.fault)
  if (ref !== null || subdirectory !== '') {
    throw refuse('A crawl has no ref and no subdirectory. Give the address of the part of the site that is to be read.')
  }
}

/** @throws {AppError} `invalid_request` for a credential that nothing would use. */
export function checkCredentialUse({ kind }: SiteSource, credential: object | null | undefined): void {
  if (kind !== 'crawl' || !credential) return
  const message = 'A crawl takes no credential, because it reads what anybody can read. Leave it out.'
  throw new AppError('invalid_request', message, { details: [{ path: 'credential', message }] })
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}
