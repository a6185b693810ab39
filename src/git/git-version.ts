import { AppError } from '../contract/app-error.ts'
import { runGit } from './run-git.ts'

/** `safe.bareRepository` and `merge-tree --write-tree` came with this release. */
const versionMinimum = [2, 38] as const

export type GitVersion = { isUsable: true; version: string } | { isUsable: false; message: string }

/**
 * Whether the installed git will do, for the start of the service and for `docent doctor`. Never rejects for a
 * missing git, because that is one of the answers.
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

/** @param output What `git version` prints: `git version 2.39.5`, on some systems with words behind it. */
export function checkGitVersion(output: string): GitVersion {
  const match = /^git version (\d+)\.(\d+)(?:\.\d+)*/.exec(output)
  if (!match)
    return {
      isUsable: false,
      message: `The git command answers "${output.trim()}" to "git version". Install git 2.38 or newer.`,
    }

  const [version, major, minor] = [match[0].slice('git version '.length), Number(match[1]), Number(match[2])]
  const [majorMinimum, minorMinimum] = versionMinimum
  if (major > majorMinimum || (major === majorMinimum && minor >= minorMinimum)) return { isUsable: true, version }
  return { isUsable: false, message: `git ${version} is too old. Install git 2.38 or newer.` }
}
