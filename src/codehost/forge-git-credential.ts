import { forges, tokenUserDefault } from '../contract/code-hosts.ts'
import type { GitCredential } from '../git/remotes/resolve-remote.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from './forge/forge-host.ts'

/**
 * What git opens a repository of a forge with: the token of people, or one that the App makes for this repository.
 *
 * @returns Null where nothing is stored: what is public can be read.
 * @throws {ForgeError} when the App makes no token for the repository.
 */
export async function readGitCredential(
  deps: ForgeHostDeps,
  repository: ForgeRepository,
  signal: AbortSignal,
): Promise<GitCredential | null> {
  const credential = await deps.readCredential(signal)
  if (credential === null) return null
  if (credential.kind === 'token') return toGitCredential(repository.kind, credential)
  const { makeGitCredential } = await import('./github/github-credential.ts')
  return makeGitCredential(deps, repository, credential, signal)
}

/** A token that was stored without a user name goes beside the one that its forge wants. */
function toGitCredential(
  kind: ForgeRepository['kind'],
  { username, token }: Extract<ForgeCredential, { kind: 'token' }>,
): GitCredential {
  return { username: username === tokenUserDefault ? forges[kind].tokenUser : username, token }
}
