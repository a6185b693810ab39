import { removeStaleLocks } from './refs.ts'
import { isRefName } from '../resolve-commit.ts'
import { startGit } from '../run-git.ts'

export interface RefChange {
  /** The full name: `refs/heads/main`. */
  ref: string
  /** Full id of what it is to name. */
  to: string
  /** Full id of what it must name before; null when it must not be there yet; undefined when that does not matter. */
  expected: string | null | undefined
}

const timeoutMs = 30_000

/**
 * Moves several refs together or none of them: each names what is expected when all are moved. A change to what a ref
 * names already makes sure that it still does.
 *
 * @returns Whether they were moved; false when one of them names something else, or is being moved by somebody else.
 */
export async function updateRefs(
  { gitDirectory, changes }: { gitDirectory: string; changes: readonly RefChange[] },
  signal: AbortSignal,
): Promise<boolean> {
  const git = startGit({
    gitDirectory,
    args: ['update-ref', '--no-deref', '--stdin'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  git.stdout.resume()
  git.stdin.end(['start', ...changes.map(writeChange), 'prepare', 'commit', ''].join('\n'))
  const { exitCode, stderr } = await git.ended
  if (exitCode === 0) return true
  if (/but expected|reference already exists|unable to resolve reference/.test(stderr)) return false
  if (/File exists|Another git process/.test(stderr)) {
    // Somebody else moves one of them right now, or was killed while doing so.
    for (const { ref } of changes) await removeStaleLocks(gitDirectory, ref)
    return false
  }
  throw new Error(`git update-ref ended with ${exitCode}: ${stderr.trim()}`)
}

/** Ids of zeros stand for a ref that must not be there. */
function writeChange({ ref, to, expected }: RefChange): string {
  const ids = [to, expected ?? ''].filter((id) => id !== '')
  const isSafe =
    ref.startsWith('refs/') && isRefName(ref) && ids.every((id) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id))
  if (!isSafe) throw new Error(`The change of the ref ${JSON.stringify(ref)} is not written as git takes it.`)
  if (expected === undefined) return `update ${ref} ${to}`
  return `update ${ref} ${to} ${expected ?? '0'.repeat(to.length)}`
}
