import { z } from 'zod'
import { describeForge, ForgeClient, type ForgeRefusal, type ForgeTokenCredential } from '../forge/forge-client.ts'
import { ForgeError } from '../forge/forge-error.ts'
import type { ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'

/** How tokens begin that GitLab takes in its own header: of users, projects and groups, of triggers, of deployments. */
const ownTokens = /^(?:glpat|glptt|gldt|glcbt|gloas)-/

/** Asks the REST interface of a GitLab for one project. */
export function createGitlabClient(deps: ForgeHostDeps, repository: ForgeRepository): ForgeClient {
  const forge = describeForge('GitLab', repository.origin)
  return new ForgeClient(deps, {
    forge,
    api: `${repository.origin}/api/v4`,
    authorize,
    isRepeatable: (method, url) => method !== 'POST' || !/\/(?:notes|hooks|repository\/commits)$/.test(url.pathname),
    explain: (refusal) => explain(refusal, forge, repository.path),
  })
}

/**
 * Tokens of applications are taken as bearers only. Those whose kind does not show, because an installation may give them
 * a beginning of its own, are tried both ways.
 */
function authorize({ token }: ForgeTokenCredential): readonly Readonly<Record<string, string>>[] {
  const own = { 'private-token': token }
  return ownTokens.test(token) ? [own] : [{ authorization: `Bearer ${token}` }, own]
}

const scopeSchema = z.object({ error: z.literal('insufficient_scope'), scope: z.string().optional() })

function explain({ status, words, body, hasCredential }: ForgeRefusal, forge: string, path: string): ForgeError {
  const scope = scopeSchema.safeParse(body)
  if (scope.success) {
    const wanted = scope.data.scope ?? 'api'
    return new ForgeError(
      'forbidden',
      `The token for ${forge} lacks the scope "${wanted}". Make one with the scope "api" and store it as the credential of the site.`,
    )
  }
  switch (status) {
    case 401:
      return new ForgeError('unauthorized', explainUnauthorized(forge, hasCredential))
    case 403:
      return new ForgeError(
        'forbidden',
        `${forge} does not let the account of the token do this in ${path}${quote(words)}. Give it the role Developer there, and look at the rules of the branch.`,
      )
    case 404:
      return new ForgeError(
        'not-found',
        `${forge} does not show ${path}, or what was looked for in it. Check the address, and that the account of the token is a member.`,
      )
    case 405:
    case 409:
      return new ForgeError('conflict', `${forge} cannot do this to ${path} as it is now${quote(words)}. Try again.`)
    default:
      return new ForgeError('invalid', `${forge} does not take the request (${status})${quote(words)}.`)
  }
}

function explainUnauthorized(forge: string, hasCredential: boolean): string {
  if (!hasCredential) return `${forge} asks for a token. Give one with the scope "api" as the credential of the site.`
  return `${forge} does not take the token: it is wrong, has expired or was withdrawn. Make a new one with the scope "api" and store it as the credential of the site.`
}

function quote(words: string): string {
  return words === '' ? '' : `: ${words.replace(/[.\s]+$/, '')}`
}
