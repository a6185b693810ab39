import { explainRemoteFailure } from './explain-remote-failure.ts'
import { checkObjectId } from '../object-id.ts'
import { checkBranchName } from '../repositories/refs.ts'
import { findRemoteTip } from './remote-tip.ts'
import { type GitRemote, runGit } from '../run-git.ts'

export interface PushBranchInput {
  /** The repository that contains the commit; it may be shallow. */
  gitDirectory: string
  /** See `resolveRemote`. */
  remote: GitRemote
  /** Without `refs/heads/`. */
  branch: string
  /** Full id. */
  commit: string
  /** Full id of the branch's expected commit; null if the branch must not exist yet. */
  expected: string | null
}

export type PushOutcome =
  /** The branch is at the commit, now or already before. */
  | { outcome: 'pushed' }
  /** Somebody else moved, created or deleted the branch. Nothing changed. */
  | { outcome: 'stale' }
  /** A rule of the host forbids it. Nothing changed. */
  | { outcome: 'refused'; message: string }

const timeoutMs = 5 * 60_000
const messageCharsMax = 300

/**
 * Pushes one commit to one branch of a remote repository, if the branch is at the expected commit. Idempotent: a branch
 * already at the commit counts as pushed.
 *
 * @throws {AppError} if the repository cannot be reached or rejects the credential.
 */
export async function pushBranch(input: PushBranchInput, signal: AbortSignal): Promise<PushOutcome> {
  const { gitDirectory, remote, commit, expected } = input
  const ref = `refs/heads/${checkBranchName(input.branch)}`
  const flags = ['--porcelain', '--quiet', '--no-verify', '--no-signed', '--no-follow-tags', '--recurse-submodules=no']
  const lease = `--force-with-lease=${ref}:${expected === null ? '' : checkObjectId(expected)}`
  const refspec = `${checkObjectId(commit)}:${ref}`
  // An empty value clears push options set in the repository's configuration.
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
    message: `The host refuses the branch: ${reason.slice(0, messageCharsMax) || 'no reason given'}.`,
  }
}

/** Detects an earlier push whose result was lost. */
async function isPushedAlready({ remote, branch, commit }: PushBranchInput, signal: AbortSignal): Promise<boolean> {
  const tip = await findRemoteTip(remote, branch, signal).catch(() => null)
  return tip?.revision === commit
}
