import { AppError } from '../contract/app-error.ts'
import { runGit } from './run-git.ts'

/** First release with `safe.bareRepository` and `merge-tree --write-tree`. */
const versionMinimum = [2, 38] as const

export type GitVersion = { isUsable: true; version: string } | { isUsable: false; message: string }

/**
 * Checks whether the installed git is recent enough, at startup and for `docent doctor`. A missing git is a result, not
 * an error.
 */
export async function gitVersion(signal: AbortSignal): Promise<GitVersion> {
  try {
    const { stdout } = await runGit({ gitDirectory: null, args: ['version'], signal }, { timeoutMs: 10_000 })
    return checkGitVersion(stdout.toString('utf8'))
  } catch (error) {
    if (error instanceof AppError) return { isUsable: false, message: error.message }
    throw error
  }
}

/** @param output Of `git version`: `git version 2.39.5`, on some systems with a suffix. */
export function checkGitVersion(output: string): GitVersion {
  const match = /^git version (\d+)\.(\d+)(?:\.\d+)*/.exec(output)
  if (!match)
    return {
      isUsable: false,
      message: `"git version" printed "${output.trim()}". Install git 2.38 or newer.`,
    }

  const [version, major, minor] = [match[0].slice('git version '.length), Number(match[1]), Number(match[2])]
  const [majorMinimum, minorMinimum] = versionMinimum
  if (major > majorMinimum || (major === majorMinimum && minor >= minorMinimum)) return { isUsable: true, version }
  return { isUsable: false, message: `git ${version} is too old. Install git 2.38 or newer.` }
}
