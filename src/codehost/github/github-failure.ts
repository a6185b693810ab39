import { ForgeError } from '../forge/forge-error.ts'
import { githubOperations, type GithubRoute, namePermission } from './github-operations.ts'

/** The credential GitHub was called with; determines what the owner has to change. */
export type GithubCaller = 'app' | 'installation' | 'token' | 'nobody'

/** An error response. */
export interface GithubFailure {
  /** Null for GraphQL. */
  route: GithubRoute | null
  status: number
  headers: Headers
  /** GitHub's message, without line feeds, at most 300 characters. */
  words: string
  caller: GithubCaller
  /** `GitHub (github.com)`. */
  forge: string
  /** `acme/docs`; null for calls of the App itself. */
  path: string | null
}

const rulePattern = /protected (?:branch|ref)|rule violations/i

/** Explains a failure: what to change, and where. */
export function explainGithubFailure(failure: GithubFailure): ForgeError {
  const { status, words } = failure
  const place = failure.path ?? 'the App'
  const said = words === '' ? `it answers ${status}` : `it says "${words}"`
  if (status === 401) return new ForgeError('unauthorized', explainUnauthorized(failure))
  if (status === 403) return explainForbidden(failure, said)
  if (status === 404 || status === 410 || status === 451) return new ForgeError('not-found', explainNotFound(failure))
  if (rulePattern.test(words)) return new ForgeError('forbidden', explainRule(failure, said))
  if (status === 409) return new ForgeError('conflict', `${failure.forge} refuses for ${place}: ${said}. Try again.`)
  return new ForgeError('invalid', `${failure.forge} rejected the request for ${place}: ${said}.`)
}

function explainUnauthorized({ caller, forge, path }: GithubFailure): string {
  if (caller === 'app') {
    return `${forge} does not know the App: its id and private key do not match, or the key was deleted. Create a new private key on the App's page and connect it again.`
  }
  if (caller === 'installation') {
    return `${forge} rejected the token that it issued for the App in ${path}. Check whether the App is suspended there.`
  }
  if (caller === 'nobody') return `${forge} requires a credential. Give the site of ${path} a token, or connect an App.`
  return `${forge} rejected the token of ${path}: it is wrong, has expired or was revoked. Create a new one and store it as the credential of the site.`
}

function explainForbidden(failure: GithubFailure, said: string): ForgeError {
  const { words, forge, path, caller, headers } = failure
  if (/archived/i.test(words)) {
    return new ForgeError('forbidden', `The repository ${path} is archived and read-only. Unarchive it first.`)
  }
  if (rulePattern.test(words)) return new ForgeError('forbidden', explainRule(failure, said))
  if (headers.has('x-github-sso') || /SAML|SSO/.test(words)) {
    return new ForgeError(
      'forbidden',
      `The organization of ${path} requires single sign-on. Authorize the token for it under Settings → Developer settings on ${forge}.`,
    )
  }
  if (!/^$|^forbidden$|not accessible|permission|must have|admin rights|push access/i.test(words)) {
    return new ForgeError(
      'forbidden',
      `${forge} refused this for ${path}: ${said}. Check the repository's rules there.`,
    )
  }
  const needed = readNeeded(failure)
  const where =
    caller === 'token'
      ? 'Grant it to the token under Settings → Developer settings → Fine-grained tokens → Repository permissions.'
      : 'Grant it under Permissions & events of the App, and accept the change where it is installed.'
  return new ForgeError('forbidden', `The permission "${needed}" is missing for ${path}. ${where}`)
}

/** GitHub names the sufficient permissions in a header; of several alternatives the first is reported. */
function readNeeded({ headers, route }: GithubFailure): string {
  const named = headers.get('x-accepted-github-permissions')?.split(';')[0]?.trim()
  const own = route === null ? 'pull_requests=write' : githubOperations[route]
  const needed = named === undefined || !/^[a-z_]+=[a-z]+/.test(named) ? own : named
  return (needed ?? 'metadata=read').split(',').map(namePermission).join(' and ')
}

function explainNotFound({ caller, forge, path, route }: GithubFailure): string {
  if (caller === 'app') {
    return path === null || route === null
      ? `${forge} has no such App or installation. Connect the App again.`
      : `The App is not installed for ${path} on ${forge}. Install it for this repository on the page of the App, or check the address.`
  }
  return `${forge} does not show ${path}: it does not exist, or the credential has no access to it. Check the address, and that the credential covers this repository.`
}

function explainRule({ path, forge }: GithubFailure, said: string): string {
  return `A rule of ${path} on ${forge} forbids it: ${said}. Change the rule for branches that begin with "docent/", or allow the credential's account to bypass it.`
}
