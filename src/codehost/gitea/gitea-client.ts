import { describeForge, ForgeClient, type ForgeRefusal } from '../forge/forge-client.ts'
import { ForgeError } from '../forge/forge-error.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'

const wantedScopes = '"write:repository" and "write:issue"'

/** Asks the REST interface of a Gitea or Forgejo, which are the same in all that is used here. */
export function createGiteaClient(deps: ForgeHostDeps, repository: ForgeRepository): ForgeClient {
  const forge = describeForge('Gitea or Forgejo', repository.origin)
  return new ForgeClient(deps, {
    forge,
    api: `${repository.origin}/api/v1`,
    authorize: ({ token }) => [{ authorization: `token ${token}` }],
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:comments|contents|hooks)$/.test(url.pathname),
    explain: (refusal) => explain(refusal, forge, repository.path),
  })
}

function explain({ status, words, hasCredential }: ForgeRefusal, forge: string, path: string): ForgeError {
  switch (status) {
    case 401:
      return new ForgeError('unauthorized', explainUnauthorized(forge, hasCredential))
    case 403:
    case 423:
      return new ForgeError('forbidden', explainForbidden(forge, path, words))
    case 404:
      return new ForgeError(
        'not-found',
        `${forge} does not show ${path}, or what was looked for in it. Check the address, and that the account of the token is a collaborator.`,
      )
    case 409:
    case 412:
      return new ForgeError('conflict', `${forge} cannot do this to ${path} as it is now${quote(words)}. Try again.`)
    default:
      return new ForgeError('invalid', `${forge} does not take the request (${status})${quote(words)}.`)
  }
}

function explainUnauthorized(forge: string, hasCredential: boolean): string {
  const asked = `with the permissions ${wantedScopes}`
  if (!hasCredential) return `${forge} asks for a token. Give one ${asked} as the credential of the site.`
  return `${forge} does not take the token: it is wrong or was removed. Make a new one ${asked} and store it as the credential of the site.`
}

function explainForbidden(forge: string, path: string, words: string): string {
  const scope = /required scope\(s\)[^[]*\[([\w:, -]{1,200})\]/.exec(words)?.[1]
  if (scope === undefined) {
    return `${forge} does not let the account of the token do this in ${path}${quote(words)}. Give it the right to write there, and look at the rules of the branch.`
  }
  return `The token for ${forge} lacks the permission "${scope}". Make one with ${wantedScopes} and store it as the credential of the site.`
}

function quote(words: string): string {
  return words === '' ? '' : `: ${words.replace(/[.\s]+$/, '')}`
}
