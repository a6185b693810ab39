import { checkObjectId } from '../object-id.ts'
import { runGitStrictly } from '../run-git.ts'

/**
 * A commit of the main line's past: the newest that is older than a time, else the oldest of the newest 5,000, or of those
 * that a shallow repository has.
 *
 * @param input.before UTC milliseconds.
 */
export async function findPastCommit(
  { gitDirectory, commit, before }: { gitDirectory: string; commit: string; before: number },
  signal: AbortSignal,
): Promise<string> {
  const args = ['log', '--first-parent', '--max-count=5000', '--format=%H %ct', checkObjectId(commit)]
  const output = await runGitStrictly({ gitDirectory, args, signal })
  const commits = output
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const [id] = commits.find(([, seconds]) => Number(seconds) * 1_000 < before) ?? commits.at(-1) ?? []
  return id ?? commit
}
