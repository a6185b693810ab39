import { AppError } from '../../contract/app-error.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import { isRefName } from '../resolve-commit.ts'
import { type GitRemote, runGit } from '../run-git.ts'
import { isObjectId } from '../object-id.ts'

/** The current target of a remote ref. */
export interface RemoteTip {
  /** The commit. */
  revision: string
  /** The object to fetch: the commit, or the annotated tag that points to it. */
  object: string
}

const timeoutMs = 30_000
const outputBytesMax = 1024 * 1024

/**
 * Looks up the target of a remote ref. Takes one round trip and fetches nothing. A branch wins over a tag of the same
 * name; a full commit id is returned as is.
 *
 * @param ref Null for the repository's default branch.
 * @throws {AppError} `invalid_request` if there is no such ref, or the repository refuses.
 */
export async function findRemoteTip(remote: GitRemote, ref: string | null, signal: AbortSignal): Promise<RemoteTip> {
  if (ref !== null && !isRefName(ref)) {
    throw new AppError('invalid_request', `"${ref}" is not a valid branch or tag name. Use one such as "main".`)
  }
  const names = ref === null ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`]
  const args = ['ls-remote', '--quiet', '--end-of-options', remote.url.href, ...names]
  const { exitCode, stdout, stderr } = await runGit(
    { gitDirectory: null, args, signal, remote },
    { timeoutMs, outputBytesMax },
  )
  if (exitCode !== 0) throw explainRemoteFailure(remote, stderr)
  const tip = readTip(stdout.toString('utf8'), names)
  if (tip !== null) return tip
  if (ref !== null && isObjectId(ref)) return { revision: ref, object: ref }
  const message =
    ref === null
      ? 'The repository has no commits yet. Push one, or name a branch that has commits.'
      : `The repository has no branch or tag "${ref}". Check its spelling; a commit needs its full id.`
  throw new AppError('invalid_request', message)
}

/** Git also matches the end of longer names, such as `refs/x/refs/heads/main`. */
function readTip(output: string, names: readonly string[]): RemoteTip | null {
  const ids = new Map<string, string>()
  for (const line of output.split('\n')) {
    const [id = '', name = ''] = line.split('\t')
    if (isObjectId(id) && names.includes(name)) ids.set(name, id)
  }
  const [first = '', tag = '', peeled = ''] = names
  const branch = ids.get(first)
  if (branch !== undefined) return { revision: branch, object: branch }
  const object = ids.get(tag)
  return object === undefined ? null : { revision: ids.get(peeled) ?? object, object }
}
