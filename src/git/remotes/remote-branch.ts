import { AppError } from '../../contract/app-error.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import { checkBranchName } from '../repositories/refs.ts'
import { type GitRemote, runGit } from '../run-git.ts'

/** A branch of a remote repository and its current commit. */
export interface RemoteBranch {
  /** Without `refs/heads/`. */
  branch: string
  /** A full commit id. */
  commit: string
}

const timeoutMs = 30_000
const outputBytesMax = 1024 * 1024

/**
 * Looks up a branch of a remote repository. Takes one round trip and fetches nothing.
 *
 * @param name Without `refs/heads/`; null for the repository's default branch.
 * @returns Null if there is no such branch.
 * @throws {AppError} `invalid_request` for an invalid name, and if the repository refuses.
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
    'The repository does not report its default branch. Set a default branch on the host, or name a branch.',
  )
}
