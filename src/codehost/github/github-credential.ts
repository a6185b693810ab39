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

/** What an installation's token is for. Each token gets only the permissions this needs. */
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

/**
 * The credential with which git reads a repository. @throws {ForgeError} if the App issues no token for the repository.
 */
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
 * An App token for one repository, limited to the scope's permissions that the App was granted; cached until shortly
 * before it expires.
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

/** Drops a token that GitHub rejected, so that the next call requests a new one. */
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
  // Includes the App's key, so that a token issued for a revoked key is never reused.
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
  // Looked up by repository even if the installation is known, because this shows whether the App can access it.
  const find = { route: 'GET /repos/{owner}/{repo}/installation', reply: installationSchema } as const
  const {
    id,
    permissions,
    suspended_at: suspendedAt,
  } = await sendGithubRequest(deps, place, find, authorization, signal)
  if (suspendedAt) {
    throw new ForgeError(
      'forbidden',
      `The App is suspended for ${path}. Unsuspend it in the organization's Settings → GitHub Apps.`,
    )
  }
  if (credential.installationId !== null && credential.installationId !== id) {
    throw new ForgeError(
      'forbidden',
      `The repository ${path} belongs to a different installation of the App from the connected one. Connect the App for its organization.`,
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

/** GitHub issues no token if any requested permission is not granted; calls that need a missing one report it. */
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

/** GitHub rejects App tokens valid for more than ten minutes, and clocks differ. */
const appTokenSeconds = 9 * 60
const clockSkewSeconds = 60

/** The token with which the App authenticates as itself, not as an installation. @throws {ForgeError} for a bad key. */
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
    const message = 'The private key of the App cannot be read. Provide the unmodified .pem file from GitHub.'
    throw new ForgeError('unauthorized', message, { cause: error })
  }
}
