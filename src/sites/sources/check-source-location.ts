import { isAbsolute } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { readForgeLocation } from '../../codehost/forge/forge-location.ts'
import { readScope } from '../../crawl/crawl-scope.ts'
import { isRemoteLocation, parseRemoteUrl } from '../../git/remotes/remote-url.ts'
import type { SiteSource } from '../../store/sites/sites.ts'

const repositoryName = /^[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}$/

/**
 * Rejects a source that is recognizably wrong by its location. Which hosts a crawl may reach is decided when it dials
 * them, because a name may resolve differently by then.
 *
 * @throws {AppError} `invalid_request` for a relative path, which would depend on the folder that the server is started
 *   in; for an address that is not https or contains a credential; for a folder with a URL; for a crawl of something
 *   other than a website.
 */
export function checkSourceLocation(source: SiteSource): void {
  const { kind, location } = source
  if (kind === 'crawl') checkCrawl(source)
  else if (readForgeLocation(source) !== null) return
  else if (kind === 'builtin') {
    if (!repositoryName.test(location)) {
      throw refuse('Name a repository on the built-in host like this: "default/docs".')
    }
  } else if (isRemoteLocation(location)) {
    parseRemoteUrl(location)
    if (kind === 'folder') throw refuse('A folder has no URL. Choose git repository or crawl as the kind of source.')
  } else if (!isAbsolute(location)) {
    throw refuse(`The source ${location} is not an absolute path. Give the full path of the folder or repository.`)
  }
}

function checkCrawl({ location, ref, subdirectory }: SiteSource): void {
  const url = URL.parse(location)
  // Checked first, because the message below repeats the address.
  if (url !== null && `${url.username}${url.password}` !== '') {
    throw refuse('The site address contains a user name or password. A crawl reads only public pages.')
  }
  const scope = readScope(location, true)
  if ('fault' in scope) throw refuse(scope.fault)
  if (ref !== null || subdirectory !== '') {
    throw refuse('A crawl has no ref and no subdirectory. Give the address of the part of the site to read.')
  }
}

/** @throws {AppError} `invalid_request` for a credential that would not be used. */
export function refuseUnusedCredential({ kind }: SiteSource, credential: object | null | undefined): void {
  if (kind !== 'crawl' || !credential) return
  const message = 'A crawl takes no credential, because it reads only public pages. Leave it out.'
  throw new AppError('invalid_request', message, { details: [{ path: 'credential', message }] })
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}
