import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { z } from 'zod'
import type { siteCreateSchema } from '../contract/admin.ts'
import { isRemoteLocation } from '../git/remote-url.ts'

type Source = z.input<typeof siteCreateSchema>['source']

export interface SourceOptions {
  ref?: string | undefined
  subdirectory?: string | undefined
  /** Read the files as they lie, not as they are committed. */
  asFolder?: boolean | undefined
}

/**
 * What a person means by a path or an address: an address is a repository, and so is a folder that git knows. Paths
 * become absolute, because the server may be started elsewhere.
 */
export async function readSource(location: string, options: SourceOptions): Promise<Source> {
  const { ref, subdirectory, asFolder } = options
  const place = { ...(ref === undefined ? {} : { ref }), ...(subdirectory === undefined ? {} : { subdirectory }) }
  if (isRemoteLocation(location)) return { kind: 'git', location, ...place }
  const path = resolve(location)
  const isRepository = asFolder !== true && (await isGitRepository(path))
  if (!isRepository && ref !== undefined) {
    throw new Error(`${path} is not a git repository, so that it has no ref. Leave --ref out.`)
  }
  return { kind: isRepository ? 'git' : 'folder', location: path, ...place }
}

async function isGitRepository(path: string): Promise<boolean> {
  if (await exists(join(path, '.git'))) return true
  const marks = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => exists(join(path, name))))
  return marks.every(Boolean)
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** A slug out of the last name of a path or address: `https://host/acme/My_Docs.git` gives `my-docs`. */
export function suggestSlug(location: string): string {
  const name = basename(location.replace(/\/+$/, '')).replace(/\.git$/, '')
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63)
}
