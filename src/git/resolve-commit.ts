import { AppError } from '../contract/app-error.ts'
import { runGit } from './run-git.ts'

const refCharsMax = 250

export interface RefLocation {
  gitDirectory: string
  /** A branch, a tag or a commit id; null stands for the current branch, `HEAD`. */
  ref: string | null
}

/**
 * The id of the commit that a ref names. Every later command takes this id instead of the ref, because several
 * subcommands of git have no way to tell a ref from an option.
 *
 * A branch wins over a tag of the same name, so that a tag cannot redirect what follows a branch.
 *
 * @returns 40 hexadecimal digits, or 64 in a repository that uses SHA-256.
 * @throws {AppError} `invalid_request` when the ref is not written like one, or names no commit here.
 */
export async function resolveCommit({ gitDirectory, ref }: RefLocation, signal: AbortSignal): Promise<string> {
  if (ref !== null && !isRefName(ref)) {
    throw new AppError(
      'invalid_request',
      `"${ref}" is not a name of a branch, a tag or a commit. Name one of them, such as "main".`,
    )
  }
  for (const candidate of ref === null ? ['HEAD'] : [`refs/heads/${ref}`, ref]) {
    const id = await resolveObject(gitDirectory, `${candidate}^{commit}`, signal)
    if (id !== null) return id
  }
  const message =
    ref === null
      ? 'The repository has no commit on its current branch yet. Commit something, or name a branch that has commits.'
      : `The repository has no branch, tag or commit "${ref}". Check its spelling, and fetch it first if it is new.`
  throw new AppError('invalid_request', message)
}

/** The id of what a revision expression names, or null when it names nothing here. */
export async function resolveObject(
  gitDirectory: string,
  expression: string,
  signal: AbortSignal,
): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', expression]
  const { exitCode, stdout, stderr } = await runGit({ gitDirectory, args, signal })
  if (exitCode === 1) return null
  const id = stdout.toString('utf8').trim()
  if (exitCode !== 0 || !/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) {
    throw new Error(`git rev-parse ended with ${exitCode}: ${stderr.trim() || id}`)
  }
  return id
}

/**
 * Whether this is written like the name of a branch, a tag or a commit. Stricter than git: expressions such as
 * `main~2`, `@{-1}` and `:/fix` are refused too, because what they name is not fixed by the name.
 */
export function isRefName(ref: string): boolean {
  if (ref === '' || ref.length > refCharsMax || ref === '@' || ref !== ref.normalize('NFC')) return false
  if (/[\p{Cc}\p{Cf}\p{Cs}\s~^:?*[\]\\]|\.\.|@\{/u.test(ref)) return false
  return ref
    .split('/')
    .every((segment) => /^[^.-]/u.test(segment) && !segment.endsWith('.lock') && !segment.endsWith('.'))
}
