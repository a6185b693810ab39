import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { checkObjectId } from '../object-id.ts'
import { quotePath } from '../repository-path.ts'
import { isRefName } from '../resolve-commit.ts'
import { runGit, runGitStrictly } from '../run-git.ts'

/** The lock of a killed git blocks forever; that of a live one is gone within milliseconds. */
export const staleLockMs = 60_000

export interface RefTip {
  /** The full name: `refs/heads/main`. */
  ref: string
  /** Full id of its commit, also behind an annotated tag. */
  commit: string
}

export interface UpdateRefInput {
  gitDirectory: string
  /** The full name: `refs/heads/main`. */
  ref: string
  /** Full id. */
  to: string
  /** Full id of the expected commit; null if the ref must not exist yet. */
  expected: string | null
}

/**
 * Whether a branch to be created or followed may have this name. Stricter than git, so git accepts every valid name and
 * need not be asked.
 *
 * @param name Without `refs/heads/`.
 */
export function isBranchName(name: string): boolean {
  return isRefName(name) && name !== 'HEAD' && !name.startsWith('refs/') && !/^[0-9a-f]{40,64}$/i.test(name)
}

/**
 * @param name Without `refs/heads/`.
 * @returns The name.
 * @throws {AppError} `invalid_request` for a name that git rejects, or that could be mistaken for something else: an
 *   option, a commit id, `HEAD`.
 */
export function checkBranchName(name: string): string {
  if (isBranchName(name)) return name
  throw new AppError(
    'invalid_request',
    `${quotePath(name)} is not a valid branch name. Use letters, digits, "-" and "/".`,
  )
}

/** The current commit of a ref, or null if it does not exist. @param location.ref The full name: `refs/heads/main`. */
export async function readRef(
  { gitDirectory, ref }: { gitDirectory: string; ref: string },
  signal: AbortSignal,
): Promise<string | null> {
  const args = ['show-ref', '--verify', '--hash', '--', checkFullRef(ref)]
  const { exitCode, stdout, stderr } = await runGit({ gitDirectory, args, signal })
  if (exitCode === 0) return stdout.toString('utf8').trim()
  if (stderr.includes('not a valid ref')) return null
  throw new Error(`git show-ref exited with ${exitCode}: ${stderr.trim()}`)
}

/**
 * Refs ordered by name.
 *
 * @param location.prefix A full name or a ref folder: `refs/`, `refs/heads/docent/`.
 * @param location.limit Most refs, default 10,000.
 */
export async function listRefs(
  { gitDirectory, prefix, limit = 10_000 }: { gitDirectory: string; prefix: string; limit?: number },
  signal: AbortSignal,
): Promise<RefTip[]> {
  const folder = prefix.replace(/\/+$/, '')
  const pattern = folder === 'refs' ? folder : checkFullRef(folder)
  const format = '--format=%(refname)%00%(objectname)%00%(*objectname)'
  const args = ['for-each-ref', `--count=${limit}`, format, '--', pattern]
  const output = await runGitStrictly({ gitDirectory, args, signal })
  return output
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [ref = '', id = '', peeled = ''] = line.split('\0')
      return { ref, commit: peeled === '' ? id : peeled }
    })
}

/**
 * Compare-and-set: moves a ref if it is at the expected commit.
 *
 * @returns Whether it is now at `to`. False if somebody else was first; then nothing changed.
 */
export async function updateRef(input: UpdateRefInput, signal: AbortSignal): Promise<boolean> {
  const { gitDirectory, ref, to, expected } = input
  const before = expected ?? '0'.repeat(to.length)
  const args = ['update-ref', '--no-deref', checkFullRef(ref), checkObjectId(to), checkObjectId(before)]
  if (await changeRef({ gitDirectory, ref, args }, signal)) return true
  const now = await readRef(input, signal)
  if (now !== expected) return false
  throw new Error(`The ref ${ref} could not be moved, although it is at ${expected ?? 'nothing'}. Try again.`)
}

async function changeRef(
  { gitDirectory, ref, args }: { gitDirectory: string; ref: string; args: readonly string[] },
  signal: AbortSignal,
): Promise<boolean> {
  const first = await runGit({ gitDirectory, args, signal })
  if (first.exitCode === 0) return true
  if (!/File exists|Another git process/.test(first.stderr)) return false
  if (!(await removeStaleLocks(gitDirectory, ref))) return false
  return (await runGit({ gitDirectory, args, signal })).exitCode === 0
}

/** @returns Whether there were any, so that a retry may succeed. */
export async function removeStaleLocks(gitDirectory: string, ref: string): Promise<boolean> {
  let removed = false
  for (const file of [join(gitDirectory, `${ref}.lock`), join(gitDirectory, 'packed-refs.lock')]) {
    const found = await stat(file).catch(() => null)
    if (found === null || Math.abs(Date.now() - found.mtimeMs) < staleLockMs) continue
    await rm(file, { force: true })
    removed = true
  }
  return removed
}

/** Names come from our own code, except for branches, which `checkBranchName` has validated. */
function checkFullRef(ref: string): string {
  if (ref.startsWith('refs/') && isRefName(ref)) return ref
  throw new Error(`${quotePath(ref)} is not a full ref name.`)
}
