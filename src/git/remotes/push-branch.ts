import { explainRemoteFailure } from './explain-remote-failure.ts'
import { checkObjectId } from '../object-id.ts'
import { checkBranchName } from '../repositories/refs.ts'
import { findRemoteTip } from './remote-tip.ts'
import { type GitRemote, runGit } from '../run-git.ts'

export interface PushBranchInput {
  /** The repository that holds the commit; it may be shallow. */
  gitDirectory: string
  /** See `resolveRemote`. */
  remote: GitRemote
  /** Without `refs/heads/`. */
  branch: string
  /** Full id. */
  commit: string
  /** Full id of what the branch names before; null when it must not be there yet. */
  expected: string | null
}

export type PushOutcome =
  /** The branch names the commit now; also when it did already. */
  | { outcome: 'pushed' }
  /** Somebody else has moved, made or deleted the branch. Nothing changed. */
  | { outcome: 'stale' }
  /** The host has a rule against it. Nothing changed. */
  | { outcome: 'refused'; message: string }

const timeoutMs = 5 * 60_000
const messageCharsMax = 300

/**
 * Pushes one commit to one branch of a repository on the network, if that branch names what is expected. May be repeated:
 * a branch that names the commit already counts as pushed.
 *
 * @throws {AppError} in a sentence, when the repository cannot be reached or refuses the credential.
 */
export async function pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
  const { gitDirectory, remote, commit, expected } = input
  const ref = `refs/heads/${checkBranchName(input.branch)}`
  const flags = ['--porcelain', '--quiet', '--no-verify', '--no-signed', '--no-follow-tags', '--recurse-submodules=no']
  const lease = `--force-with-lease=${ref}:${expected === null ? '' : checkObjectId(expected)}`
  const refspec = `${checkObjectId(commit)}:${ref}`
  // An empty value takes back what the repository's configuration would send along.
  const args = ['-c', 'push.pushOption=', 'push', ...flags, lease, '--end-of-options', remote.url.href, refspec]
  const { exitCode, stdout, stderr } = await runGit({ gitDirectory, args, signal, remote }, { timeoutMs })
  if (exitCode === 0) return { outcome: 'pushed' }
  const rejection = /^!\t[^\t\n]*\t\[(?:remote )?rejected\](?: \(([^\n]*)\))?/m.exec(stdout.toString('utf8'))
  if (rejection === null) throw explainRemoteFailure(remote, stderr)
  if (await isPushedAlready(input, signal)) return { outcome: 'pushed' }
  const reason = rejection[1] ?? ''
  if (/stale info|fetch first|non-fast-forward|already exists|remote ref updated/.test(reason))
    return { outcome: 'stale' }
  return {
    outcome: 'refused',
    message: `The host refuses the branch: ${reason.slice(0, messageCharsMax) || 'it gave no reason'}.`,
  }
}

/** A push that was done before its answer got lost finds its own commit in place of the expected one. */
async function isPushedAlready({ remote, branch, commit }: PushBranchInput, signal: AbortSignal): Promise<boolean> {
  const tip = await findRemoteTip(remote, branch, signal).catch(() => null)
  return tip?.revision === commit
}
