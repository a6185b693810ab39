import { AppError } from '../../contract/app-error.ts'

/**
 * Reads the address of a repository on the network. `http` is taken only to this machine, because anyone on the way
 * could read the credential and change the pages.
 *
 * @throws {AppError} `invalid_request` in a sentence that does not repeat the address, which may hold a secret.
 */
export function parseRemoteUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw refuse('The address of the repository cannot be read. Write it like https://host/owner/name.')
  if (url.username !== '' || url.password !== '') {
    throw refuse(
      'The address of the repository holds a user name or a token. Leave it out and give it as the credential.',
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw refuse('The address of the repository has a "?" or "#" part. Leave it out; name the branch as the ref.')
  }
  // Git's client drops the dot and would look the other name up by itself.
  if (url.hostname.endsWith('.')) throw refuse('The host of the repository ends with a dot. Write it without.')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))) return url
  throw refuse('Only https addresses of repositories are taken. Use the https address of the same repository.')
}

/** Whether a source is named by an address rather than by a path; `git@host:path` counts, so that it is explained. */
export function isRemoteLocation(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location) || /^[\w.-]+@[\w.-]+:/.test(location)
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}
