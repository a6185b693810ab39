import { AppError } from '../contract/app-error.ts'
import { openObjects } from './repository-objects.ts'

const refCharsMax = 250

export interface RefLocation {
  gitDirectory: string
  /** A branch, tag or commit id; null for the current branch, `HEAD`. */
  ref: string | null
}

/**
 * Resolves a ref to a commit id. All later commands take this id instead of the ref, because several git subcommands
 * cannot tell a ref from an option.
 *
 * A branch wins over a tag of the same name, so that a tag cannot redirect what follows a branch.
 *
 * @returns 40 hexadecimal digits, or 64 in a SHA-256 repository.
 * @throws {AppError} `invalid_request` if the ref is malformed or names no commit here.
 */
export async function resolveCommit({ gitDirectory, ref }: RefLocation, signal: AbortSignal): Promise<string> {
  if (ref !== null && !isRefName(ref)) {
    throw new AppError('invalid_request', `"${ref}" is not a valid branch, tag or commit name. Use one such as "main".`)
  }
  const candidates = (ref === null ? ['HEAD'] : [`refs/heads/${ref}`, ref]).map((name) => `${name}^{commit}`)
  const found = (await resolveObjects(gitDirectory, candidates, signal)).find((id) => id !== null)
  if (found != null) return found
  const message =
    ref === null
      ? 'The repository has no commits on its current branch yet. Commit something, or name a branch that has commits.'
      : `The repository has no branch, tag or commit "${ref}". Check its spelling, and fetch it first if it is new.`
  throw new AppError('invalid_request', message)
}

/** Resolves a revision expression to an id, or null if it names nothing here. */
export async function resolveObject(
  gitDirectory: string,
  expression: string,
  signal: AbortSignal,
): Promise<string | null> {
  const [id = null] = await resolveObjects(gitDirectory, [expression], signal)
  return id
}

/**
 * Resolves several revision expressions, in order; null where one names nothing here.
 *
 * @param expressions Without line feeds.
 */
export async function resolveObjects(
  gitDirectory: string,
  expressions: readonly string[],
  signal: AbortSignal,
): Promise<(string | null)[]> {
  const objects = await openObjects(gitDirectory)
  const ask = (object: string) => objects.ask({ command: 'info', object, bytesMax: 0 }, signal)
  return (await Promise.all(expressions.map(ask))).map((found) => found?.id ?? null)
}

/**
 * Whether this is a well-formed branch, tag or commit name. Stricter than git: expressions such as `main~2`, `@{-1}`
 * and `:/fix` are rejected too, because what they name is not fixed.
 */
export function isRefName(ref: string): boolean {
  if (ref === '' || ref.length > refCharsMax || ref === '@' || ref !== ref.normalize('NFC')) return false
  if (/[\p{Cc}\p{Cf}\p{Cs}\s~^:?*[\]\\]|\.\.|@\{/u.test(ref)) return false
  return ref
    .split('/')
    .every((segment) => /^[^.-]/u.test(segment) && !segment.endsWith('.lock') && !segment.endsWith('.'))
}
