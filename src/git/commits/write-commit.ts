import { checkObjectId } from '../object-id.ts'
import { type CommitSignature, runGitStrictly } from '../run-git.ts'

export interface WriteCommitInput {
  gitDirectory: string
  /** Full id. */
  tree: string
  /** Full ids, in order; none for a root commit. */
  parents: readonly string[]
  author: CommitSignature
  /** Defaults to the author, with the same time. */
  committer?: CommitSignature
  /** Title, blank line, and the rest. */
  message: string
}

/**
 * Writes a commit and moves no branch. The same input yields the same id, so it can be repeated after a crash.
 *
 * @returns Its full id.
 */
export async function writeCommit(input: WriteCommitInput, signal: AbortSignal): Promise<string> {
  const { gitDirectory, tree, parents, author, committer = author, message } = input
  const text = message.replaceAll('\0', '').trim()
  if (text === '') throw new Error('A commit needs a message.')
  const options = parents.flatMap((parent) => ['-p', checkObjectId(parent)])
  const settings = ['-c', 'i18n.commitEncoding=UTF-8']
  const args = [...settings, 'commit-tree', '--no-gpg-sign', ...options, '-F', '-', checkObjectId(tree)]
  const command = { gitDirectory, args, signatures: { author, committer }, signal }
  return (await runGitStrictly(command, { input: `${text}\n` })).toString('utf8').trim()
}
