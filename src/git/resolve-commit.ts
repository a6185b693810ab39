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
  const candidates = (ref === null ? ['HEAD'] : [`refs/heads/${ref}`, ref]).map((name) => `${name}^{commit}`)
  const found = (await resolveObjects(gitDirectory, candidates, signal)).find((id) => id !== null)
  if (found != null) return found
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
 * The ids of what several revision expressions name, in their order, by one process; null where one names nothing here.
 *
 * @param expressions Without line feeds.
 */
export async function resolveObjects(
  gitDirectory: string,
  expressions: readonly string[],
  signal: AbortSignal,
): Promise<(string | null)[]> {
  const input = expressions.map((expression) => {
    if (expression.includes('\n')) throw new Error('A revision expression is one line.')
    return `${expression}\n`
  })
  const args = ['cat-file', '--batch-check=%(objectname)']
  const { exitCode, stdout, stderr } = await runGit({ gitDirectory, args, signal }, { input: input.join('') })
  const lines = stdout.toString('utf8').split('\n').slice(0, -1)
  if (exitCode !== 0 || lines.length !== expressions.length) {
    throw new Error(`git cat-file ended with ${exitCode}: ${stderr.trim() || 'it has not answered for everything'}`)
  }
  return lines.map((line) => (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(line) ? line : null))
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
