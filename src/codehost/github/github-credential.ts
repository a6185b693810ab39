import { createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { forges } from '../../contract/code-hosts.ts'
import type { GitCredential } from '../../git/remotes/resolve-remote.ts'
import { ForgeError } from '../forge/forge-error.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from '../forge/forge-host.ts'
import type { ForgeToken } from '../forge/forge-token-cache.ts'
import { githubAppPermissions } from './github-operations.ts'
import { type GithubPlace, sendGithubRequest } from './github-request.ts'

export type GithubAppCredential = Extract<ForgeCredential, { kind: 'github-app' }>

/** What an installation's token is for: the least of it is asked for. */
export type GithubAppScope = 'read' | 'write'

const scopes: Readonly<Record<GithubAppScope, Readonly<Record<string, 'read' | 'write'>>>> = {
  read: { contents: 'read', metadata: 'read' },
  write: githubAppPermissions,
}

const installationSchema = z.object({
  id: z.number(),
  permissions: z.record(z.string(), z.string()).default({}),
  suspended_at: z.string().nullish(),
})

const tokenSchema = z.object({ token: z.string().min(1), expires_at: z.iso.datetime({ offset: true }) })

/** What git reads a repository with. @throws {ForgeError} when the App makes no token for the repository. */
export async function makeGitCredential(
  deps: ForgeHostDeps,
  repository: ForgeRepository,
  credential: GithubAppCredential,
  signal: AbortSignal,
): Promise<GitCredential> {
  const token = await readInstallationToken(deps, repository, credential, 'read', signal)
  return { username: forges.github.tokenUser, token }
}

/**
 * A token of the App for one repository with what the scope needs of what the App was granted, from the cache until
 * shortly before its end.
 *
 * @throws {ForgeError}
 */
export function readInstallationToken(
  deps: ForgeHostDeps,
  repository: ForgeRepository,
  credential: GithubAppCredential,
  scope: GithubAppScope,
  signal: AbortSignal,
): Promise<string> {
  const key = tokenKey(repository, credential, scope)
  return deps.tokens.get(key, () => makeInstallationToken(deps, repository, credential, scope, signal))
}

/** Forgets a token that GitHub did not take, so that the next call makes another. */
export function forgetInstallationToken(
  { tokens }: Pick<ForgeHostDeps, 'tokens'>,
  repository: ForgeRepository,
  credential: GithubAppCredential,
  token: string,
): void {
  for (const scope of ['read', 'write'] as const) tokens.forget(tokenKey(repository, credential, scope), token)
}

function tokenKey(
  { origin, path }: ForgeRepository,
  { appId, installationId, privateKey }: GithubAppCredential,
  scope: GithubAppScope,
): string {
  // With the key of the App, so that a token which a withdrawn key has made serves nobody.
  const digest = createHash('sha256').update(privateKey).digest('hex')
  return JSON.stringify([origin, path, appId, installationId, digest, scope])
}

async function makeInstallationToken(
  deps: ForgeHostDeps,
  { origin, path }: ForgeRepository,
  credential: GithubAppCredential,
  scope: GithubAppScope,
  signal: AbortSignal,
): Promise<ForgeToken> {
  const authorization = { caller: 'app', token: await signAppToken(deps, credential) } as const
  let repositoryId: number | null = null
  const place: GithubPlace = { origin, path, onMoved: (id) => (repositoryId = id ?? repositoryId) }
  // By the repository even where the installation is known: it tells whether the App may see this repository.
  const find = { route: 'GET /repos/{owner}/{repo}/installation', reply: installationSchema } as const
  const {
    id,
    permissions,
    suspended_at: suspendedAt,
  } = await sendGithubRequest(deps, place, find, authorization, signal)
  if (suspendedAt) {
    throw new ForgeError(
      'forbidden',
      `The App is suspended for ${path}. Let it work again under Settings → GitHub Apps of the organization.`,
    )
  }
  if (credential.installationId !== null && credential.installationId !== id) {
    throw new ForgeError(
      'forbidden',
      `The repository ${path} belongs to another installation of the App than the one that was connected. Connect the App for its organization.`,
    )
  }
  const repositories =
    repositoryId === null ? { repositories: [path.split('/')[1]] } : { repository_ids: [repositoryId] }
  const parameters = { installation_id: id, ...repositories, permissions: chooseGranted(scopes[scope], permissions) }
  const make = {
    route: 'POST /app/installations/{installation_id}/access_tokens',
    parameters,
    reply: tokenSchema,
  } as const
  const made = await sendGithubRequest(deps, { origin, path }, make, authorization, signal)
  return { token: made.token, expiresAt: Date.parse(made.expires_at) }
}

/** GitHub makes no token at all when it is asked for one permission that was not granted; calls that need it say so. */
function chooseGranted(
  wanted: Readonly<Record<string, 'read' | 'write'>>,
  granted: Readonly<Record<string, string>>,
): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const [name, level] of Object.entries(wanted)) {
    const has = granted[name]
    if (has === undefined) continue
    chosen[name] = level === 'write' && has === 'read' ? 'read' : level
  }
  return chosen
}

/** GitHub refuses tokens of Apps that are made for more than ten minutes, and clocks differ. */
const appTokenSeconds = 9 * 60
const clockSkewSeconds = 60

/** The token by which the App itself speaks, as opposed to an installation of it. @throws {ForgeError} for a bad key. */
async function signAppToken(
  { clock }: Pick<ForgeHostDeps, 'clock'>,
  { appId, privateKey }: Pick<GithubAppCredential, 'appId' | 'privateKey'>,
): Promise<string> {
  const now = Math.floor(clock.now() / 1000)
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuedAt(now - clockSkewSeconds)
    .setExpirationTime(now + appTokenSeconds)
    .setIssuer(appId)
    .sign(readPrivateKey(privateKey))
}

function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    const message = 'The private key of the App cannot be read. Give the .pem file as GitHub made it.'
    throw new ForgeError('unauthorized', message, { cause: error })
  }
}
