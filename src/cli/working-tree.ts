import { dirname, join } from 'node:path'
import { pathExists } from '../base/path-exists.ts'
import { AppError } from '../contract/app-error.ts'
import { resolveCommit, resolveObject } from '../git/resolve-commit.ts'

/** @returns The folder above that has a `.git`; null outside of a working tree. */
export async function findWorkingTree(folder: string): Promise<string | null> {
  for (let place = folder; ; place = dirname(place)) {
    if (await pathExists(join(place, '.git'))) return place
    if (place === dirname(place)) return null
  }
}

/** Resolves what a person compares with, such as `main` or `HEAD~2`. */
export async function resolveBase(gitDirectory: string, base: string, signal: AbortSignal): Promise<string> {
  const [, ref = base, steps = ''] = /^([^~^]+)((?:[~^]\d{0,4}){1,8})$/.exec(base) ?? []
  const commit = await resolveCommit({ gitDirectory, ref }, signal)
  const found = steps === '' ? commit : await resolveObject(gitDirectory, `${commit}${steps}^{commit}`, signal)
  if (found !== null) return found
  throw new AppError(
    'invalid_request',
    `The repository has no commit "${base}". Name a later one. In a shallow clone, fetch it first.`,
  )
}
