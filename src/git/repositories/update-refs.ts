import { removeStaleLocks } from './refs.ts'
import { isRefName } from '../resolve-commit.ts'
import { startGit } from '../run-git.ts'
import { isObjectId } from '../object-id.ts'

export interface RefChange {
  /** The full name: `refs/heads/main`. */
  ref: string
  /** Full id of the new target. */
  to: string
  /** Full id of the expected target; null if the ref must not exist yet; undefined to skip the check. */
  expected: string | null | undefined
}

const timeoutMs = 30_000

/**
 * Moves several refs atomically, if each is at its expected commit. A change to a ref's current target verifies that it
 * is still there.
 *
 * @returns Whether they moved; false if one is elsewhere, or is being moved by somebody else.
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
    // Somebody else is moving one of them, or was killed doing so.
    for (const { ref } of changes) await removeStaleLocks(gitDirectory, ref)
    return false
  }
  throw new Error(`git update-ref exited with ${exitCode}: ${stderr.trim()}`)
}

/** An all-zero id means that the ref must not exist. */
function writeChange({ ref, to, expected }: RefChange): string {
  const ids = [to, expected ?? ''].filter((id) => id !== '')
  const isSafe = ref.startsWith('refs/') && isRefName(ref) && ids.every(isObjectId)
  if (!isSafe) throw new Error(`The change of the ref ${JSON.stringify(ref)} is malformed.`)
  if (expected === undefined) return `update ${ref} ${to}`
  return `update ${ref} ${to} ${expected ?? '0'.repeat(to.length)}`
}
