import { AppError, refusal } from '../../contract/app-error.ts'
import { RemoteFailureError } from '../../git/remotes/explain-remote-failure.ts'
import type { Mirrors } from '../../git/remotes/mirrors.ts'
import { pushBranch } from '../../git/remotes/push-branch.ts'
import { checkBranchName } from '../../git/repositories/refs.ts'
import { findRemoteBranch } from '../../git/remotes/remote-branch.ts'
import { type GitCredential, resolveRemote, type ResolveRemoteDeps } from '../../git/remotes/resolve-remote.ts'
import type { GitRemote } from '../../git/run-git.ts'
import { isObjectId } from '../../git/object-id.ts'
import type { BaseRepository, BranchTip, PushBranchInput, PushOutcome } from '../code-host.ts'
import { ForgeError } from './forge-error.ts'

/**
 * Git traffic with a repository on a forge. Git rather than the forges' file and commit APIs, so that every forge is
 * written to in the same way: objects first, then a compare-and-set of one branch.
 *
 * @throws {ForgeError} from every call if the repository refuses or cannot be reached; {AppError} `invalid_request` for
 *   a missing branch or commit.
 */
export interface ForgeTransport {
  /**
   * Uses `ls-remote`; nothing is fetched.
   *
   * @param name Null for the forge's default branch.
   * @throws {AppError} `invalid_request` if the branch does not exist.
   */
  resolveBranch(name: string | null, credential: GitCredential | null, signal: AbortSignal): Promise<BranchTip>
  /** From the mirror, which is always updated first, so that nothing is readable once access is revoked. */
  openBase(commit: string, credential: GitCredential | null, signal: AbortSignal): Promise<BaseRepository>
  /**
   * @throws {AppError} `invalid_request` for the default branch; {ForgeError} if a rule of the forge forbids the push.
   */
  pushBranch(
    input: PushBranchInput & { defaultBranch: string },
    credential: GitCredential,
    signal: AbortSignal,
  ): Promise<PushOutcome>
}

export interface ForgeTransportDeps extends ResolveRemoteDeps {
  mirrors: Mirrors
}

/**
 * @param repository.location Clone address.
 * @param repository.mirrored Address that the commits to push were fetched from; `location` by default.
 * @param repository.reader Owner of the credential; see `RemoteSource`.
 */
export function createForgeTransport(
  deps: ForgeTransportDeps,
  repository: { location: string; mirrored?: string | undefined; path: string; reader: string },
): ForgeTransport {
  const { location, mirrored = location, path, reader } = repository
  const sourceFor = (credential: GitCredential | null) => ({ location, credential, reader })

  return {
    resolveBranch: (name, credential, signal) =>
      asForgeErrors(async () => {
        const remote = await resolveForgeRemote(deps, location, credential)
        const found = await findRemoteBranch(remote, name, signal)
        if (found !== null) return found
        throw refusal(
          name === null
            ? `The repository ${path} has no commits yet. Push one first.`
            : `The repository ${path} has no branch "${name}". Push it first, or name another.`,
        )
      }),

    openBase: (commit, credential, signal) =>
      asForgeErrors(async () => {
        if (!isObjectId(commit)) {
          throw refusal(`The repository ${path} has no commit ${commit.slice(0, 64)}. Name one by its full id.`)
        }
        const source = sourceFor(credential)
        const mirrored = await deps.mirrors.fetch({ ...source, ref: commit }, signal)
        return {
          gitDirectory: mirrored.repository,
          joinHistory: (commits, joinSignal) =>
            asForgeErrors(() => deps.mirrors.joinHistory(source, commits, joinSignal)),
          close: async () => {},
        }
      }),

    pushBranch: ({ defaultBranch, ...input }, credential, signal) =>
      asForgeErrors(async () => {
        const { branch } = input
        checkBranchName(branch)
        if (branch === defaultBranch) {
          throw refusal(
            `The branch "${branch}" is protected: it changes only when pull requests are merged. Push to another branch.`,
          )
        }
        const remote = await resolveForgeRemote(deps, location, credential)
        const gitDirectory = deps.mirrors.folderOf({ ...sourceFor(credential), location: mirrored })
        const pushed = await pushBranch({ ...input, gitDirectory, remote }, signal)
        if (pushed.outcome === 'pushed') return { outcome: 'pushed', commit: input.commit }
        if (pushed.outcome === 'refused') throw explainRefusal(path, branch, pushed.message)
        return findWhereMoved(remote, input, signal)
      }),
  }
}

/** Not `invalid_request`, which means a missing branch: no failure in a lookup. */
async function asForgeErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RemoteFailureError)) throw error
    // A forge that hides a commit says so in the same words as one that hides the repository.
    const reason = error.reason === 'other' ? 'invalid' : error.reason
    throw new ForgeError(reason, error.message, { cause: error })
  }
}

async function resolveForgeRemote(
  deps: ForgeTransportDeps,
  location: string,
  credential: GitCredential | null,
): Promise<GitRemote> {
  try {
    return await resolveRemote(deps, location, credential)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new ForgeError('unavailable', error.message, { cause: error })
  }
}

async function findWhereMoved(
  remote: GitRemote,
  { branch, commit }: PushBranchInput,
  signal: AbortSignal,
): Promise<PushOutcome> {
  const now = (await findRemoteBranch(remote, branch, signal))?.commit ?? null
  return now === commit ? { outcome: 'pushed', commit } : { outcome: 'moved', commit: now }
}

/** @param reason A sentence that quotes the forge. */
function explainRefusal(path: string, branch: string, reason: string): AppError {
  // The forge has dropped the commits that the change is based on, as after a force push.
  if (/shallow/.test(reason)) {
    return new ForgeError(
      'conflict',
      `The history of ${path} was rewritten while the change was made, so it no longer applies. Send a message to redo it on the current branch.`,
    )
  }
  return new ForgeError(
    'forbidden',
    `${reason} Allow the credential's account to push ${branch} in the branch rules of ${path}.`,
  )
}
