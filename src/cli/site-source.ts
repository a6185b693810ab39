import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import type { z } from 'zod'
import type { siteCreateSchema } from '../contract/admin.ts'
import { isOnKnownForge } from '../codehost/find-forge.ts'
import { isRemoteLocation } from '../git/remotes/remote-url.ts'

type Source = z.input<typeof siteCreateSchema>['source']

export interface SourceOptions {
  ref?: string | undefined
  subdirectory?: string | undefined
  /** Read the files as they lie, not as they are committed. */
  asFolder?: boolean | undefined
  /** Read the pages of a published site. */
  crawl?: boolean | undefined
  /** A file that holds a token, which only repositories have a use for. */
  tokenFile?: string | undefined
}

/** Longest wait for a server to say whether it is a repository's. */
const askTimeoutMs = 10_000

/** Tells the address of a repository from that of a website. */
export type AskForRepository = (address: string) => Promise<boolean>

/**
 * What a person means by a path or an address: an address is a repository or else a site to crawl, and a folder that git
 * knows is a repository. Paths become absolute, because the server may be started elsewhere.
 */
export async function readSource(
  location: string,
  options: SourceOptions,
  isRepositoryAt: AskForRepository = askForRepository,
): Promise<Source> {
  const { ref, subdirectory, asFolder } = options
  const place = { ...(ref === undefined ? {} : { ref }), ...(subdirectory === undefined ? {} : { subdirectory }) }
  if (options.crawl === true) return { kind: 'crawl', location, ...place }
  if (isRemoteLocation(location)) {
    const isRepository = saysRepository(location, options) || (await isRepositoryAt(location))
    return { kind: isRepository ? 'git' : 'crawl', location, ...place }
  }
  const path = resolve(location)
  const isRepository = asFolder !== true && (await isGitRepository(path))
  if (!isRepository && ref !== undefined) {
    throw new Error(`${path} is not a git repository, so that it has no ref. Leave --ref out.`)
  }
  return { kind: isRepository ? 'git' : 'folder', location: path, ...place }
}

/** Whether nobody has to be asked: only a repository has any of these. */
function saysRepository(location: string, { ref, subdirectory, tokenFile }: SourceOptions): boolean {
  const isGiven = [ref, subdirectory, tokenFile].some((given) => given !== undefined)
  return isGiven || /\.git\/?$/.test(location) || isOnKnownForge(location)
}

/**
 * Asks as a git client does. A server that asks for a credential is taken for a repository's, because private ones do
 * that; so is one that cannot be reached, whose failure is explained when it is synced.
 */
async function askForRepository(address: string): Promise<boolean> {
  if (!/^https?:/.test(address)) return true
  const path = address.replace(/\/+$/, '')
  // Forges know a repository by its name alone, but some of them answer git only with the ending.
  const isDeep = (URL.parse(path)?.pathname.split('/').length ?? 0) > 2
  try {
    return (await answersGit(path)) || (isDeep && (await answersGit(`${path}.git`)))
  } catch {
    return true
  }
}

async function answersGit(path: string): Promise<boolean> {
  const url = `${path}/info/refs?service=git-upload-pack`
  const response = await fetch(url, { signal: AbortSignal.timeout(askTimeoutMs) })
  await response.body?.cancel()
  if (response.status === 401) return true
  return response.headers.get('content-type') === 'application/x-git-upload-pack-advertisement'
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

/**
 * A slug out of the last name of a path or address: `https://host/acme/My_Docs.git` gives `my-docs`. A site that is
 * crawled is known by its host.
 */
export function suggestSlug(location: string, kind?: Source['kind']): string {
  const name =
    kind === 'crawl'
      ? location.replace(/^[a-z]+:\/\/(?:www\.)?/i, '')
      : basename(location.replace(/\/+$/, '')).replace(/\.git$/, '')
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
}
