import { AppError } from '../../contract/app-error.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import { checkBranchName } from '../repositories/refs.ts'
import { type GitRemote, runGit } from '../run-git.ts'

/** A branch of a repository on the network, and what it names now. */
export interface RemoteBranch {
  /** Without `refs/heads/`. */
  branch: string
  /** A full commit id. */
  commit: string
}

const timeoutMs = 30_000
const outputBytesMax = 1024 * 1024

/**
 * Asks a repository for one of its branches, which costs one exchange and fetches nothing.
 *
 * @param name Without `refs/heads/`; null for the branch that the repository itself calls its main one.
 * @returns Null when there is no such branch.
 * @throws {AppError} `invalid_request` for a name that no branch can have, and when the repository refuses.
 */
export async function findRemoteBranch(
  remote: GitRemote,
  name: string | null,
  signal: AbortSignal,
): Promise<RemoteBranch | null> {
  const wanted = name === null ? 'HEAD' : `refs/heads/${checkBranchName(name)}`
  const args = ['ls-remote', '--quiet', '--symref', '--end-of-options', remote.url.href, wanted]
  const { exitCode, stdout, stderr } = await runGit(
    { gitDirectory: null, args, signal, remote },
    { timeoutMs, outputBytesMax },
  )
  if (exitCode !== 0) throw explainRemoteFailure(remote, stderr)
  const lines = stdout.toString('utf8').split('\n')
  const commit = lines
    .map((line) => /^([0-9a-f]{40}|[0-9a-f]{64})\t(.*)$/.exec(line))
    .find((at) => at?.[2] === wanted)?.[1]
  const branch =
    name ?? lines.map((line) => /^ref: refs\/heads\/(.+)\tHEAD$/.exec(line)?.[1]).find((at) => at !== undefined)
  if (commit === undefined) return null
  if (branch !== undefined) return { branch: checkBranchName(branch), commit }
  throw new AppError(
    'invalid_request',
    'The repository does not say which branch is its main one. Set a default branch on the host, or name a branch.',
  )
}
