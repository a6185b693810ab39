import { basename, resolve } from 'node:path'
import type { z } from 'zod'
import type { siteCreateSchema } from '../contract/admin.ts'
import { isOnKnownForge } from '../codehost/find-forge.ts'
import { isRemoteLocation } from '../git/remotes/remote-url.ts'
import { isGitRepository } from '../git/trees/commit-tree.ts'

type Source = z.input<typeof siteCreateSchema>['source']

export interface SourceOptions {
  ref?: string | undefined
  subdirectory?: string | undefined
  /** Read the working tree, not the committed files. */
  asFolder?: boolean | undefined
  /** Crawl a published site. */
  crawl?: boolean | undefined
  /** File containing a token, which only repositories need. */
  tokenFile?: string | undefined
}

/** Longest wait when probing a server for a repository. */
const askTimeoutMs = 10_000

/** Tells repository URLs from website URLs. */
export type AskForRepository = (address: string) => Promise<boolean>

/**
 * Interprets a path or URL: a URL is a repository or else a site to crawl, and a folder known to git is a repository.
 * Paths become absolute, because the server may run in another working directory.
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
    throw new Error(`${path} is not a git repository, so it has no refs. Omit --ref.`)
  }
  return { kind: isRepository ? 'git' : 'folder', location: path, ...place }
}

/** Whether no request is needed: only repositories have any of these. */
function saysRepository(location: string, { ref, subdirectory, tokenFile }: SourceOptions): boolean {
  const isGiven = [ref, subdirectory, tokenFile].some((given) => given !== undefined)
  return isGiven || /\.git\/?$/.test(location) || isOnKnownForge(location)
}

/**
 * Probes as a git client does. A server that demands credentials counts as a repository, because private ones do that.
 * So does an unreachable one, whose failure the sync explains.
 */
async function askForRepository(address: string): Promise<boolean> {
  if (!/^https?:/.test(address)) return true
  const path = address.replace(/\/+$/, '')
  // Forges accept repository URLs without `.git`, but some answer git only with it.
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

/**
 * Derives a slug from the last segment of a path or URL, such as `my-docs` from `https://host/acme/My_Docs.git`; for a
 * crawled site, from its host.
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
