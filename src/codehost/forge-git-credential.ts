import { forges, tokenUserDefault } from '../contract/code-hosts.ts'
import type { GitCredential } from '../git/remotes/resolve-remote.ts'
import type { ForgeCredential, ForgeHostDeps, ForgeRepository } from './forge/forge-host.ts'

/**
 * The credential git uses for a forge's repository: the stored token, or one that the App issues for this repository.
 *
 * @returns Null if nothing is stored; public repositories are readable without.
 * @throws {ForgeError} if the App issues no token for the repository.
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

/** A token stored without a user name gets the one that its forge expects. */
function toGitCredential(
  kind: ForgeRepository['kind'],
  { username, token }: Extract<ForgeCredential, { kind: 'token' }>,
): GitCredential {
  return { username: username === tokenUserDefault ? forges[kind].tokenUser : username, token }
}
