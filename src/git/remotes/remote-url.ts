import { AppError } from '../../contract/app-error.ts'

/**
 * Parses the address of a remote repository. `http` is accepted only for this machine, because anyone on the network
 * path could read the credential and alter the pages.
 *
 * @throws {AppError} `invalid_request` whose message does not repeat the address, which may contain a secret.
 */
export function parseRemoteUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw refuse('This is not a valid repository address. It looks like https://host/owner/name.')
  if (url.username !== '' || url.password !== '') {
    throw refuse(
      'The address of the repository contains a user name or a token. Remove it and store it as the credential.',
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw refuse('The address of the repository has a "?" or "#" part. Remove it; give the branch as the ref.')
  }
  // Git's client drops the dot and would look up the other name itself.
  if (url.hostname.endsWith('.')) throw refuse('The host of the repository ends with a dot. Remove it.')
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.hostname))) return url
  throw refuse("Only https addresses are accepted. Use the repository's https address.")
}

/** Whether a source is an address rather than a path; `git@host:path` counts, so that it gets a helpful error. */
export function isRemoteLocation(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location) || /^[\w.-]+@[\w.-]+:/.test(location)
}

function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function refuse(message: string): AppError {
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}
