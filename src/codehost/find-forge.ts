import { z } from 'zod'
import { parseRemoteUrl } from '../git/remote-url.ts'
import { type ForgeKind, type ForgeLocation, readForgeLocation } from './forge/forge-location.ts'

/** Forges that everybody knows; no other is known by its name. */
const knownForges: Readonly<Record<string, ForgeKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
}

/** Whether an address is one of a repository by its host and its length alone, so that nobody has to be asked. */
export function isOnKnownForge(address: string): boolean {
  const url = URL.parse(address)
  const parts = url?.pathname.split('/').filter(Boolean) ?? []
  return url !== null && knownForges[url.hostname.replace(/^www\./, '')] !== undefined && parts.length >= 2
}

const askTimeoutMs = 10_000
const replyBytesMax = 64 * 1024

export interface FindForgeDeps {
  /** Dials only addresses that the settings allow, and follows no redirect. */
  fetch: typeof fetch
}

/**
 * Finds out what kind of forge an address of a repository is on: by its name, else by endpoints that each kind documents
 * and answers without a credential.
 *
 * @returns Null for an address that is on none of them, or whose host does not answer.
 * @throws {AppError} `invalid_request` for an address that is not written like one.
 * @see https://docs.gitlab.com/api/version/, https://docs.gitea.com/api/, https://docs.github.com/enterprise-server/rest/meta
 */
export async function findForge(
  { fetch }: FindForgeDeps,
  address: string,
  signal: AbortSignal,
): Promise<ForgeLocation | null> {
  const url = parseRemoteUrl(address)
  const known = knownForges[url.hostname.replace(/^www\./, '')]
  if (known !== undefined) return readForgeLocation({ kind: known, location: withoutWww(url) })
  const ask: Ask = (at, path) =>
    askForge(fetch, `${at}${path}`, AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]))
  for (const origin of originsOf(url)) {
    const [gitlab, gitea, github] = await Promise.all([
      isGitlab(ask, origin),
      isGitea(ask, origin),
      isGithub(ask, origin),
    ])
    const kind = gitlab ? 'gitlab' : gitea ? 'gitea' : github ? 'github' : null
    if (kind !== null) return readForgeLocation({ kind, location: address, origin })
  }
  return null
}

function withoutWww(url: URL): string {
  return url.href.replace(/^(https:\/\/)www\./, '$1')
}

/** The root of the host, and below it the first part of the path, where a forge may lie beside other things. */
function originsOf({ origin, pathname }: URL): string[] {
  const parts = pathname.split('/').filter(Boolean)
  return parts.length > 2 ? [origin, `${origin}/${parts[0]}`] : [origin]
}

interface ForgeReply {
  status: number
  headers: Headers
  /** Null where it is not JSON. */
  body: unknown
}

/** @returns Null when nothing answers. */
type Ask = (origin: string, path: string) => Promise<ForgeReply | null>

async function askForge(fetch: FindForgeDeps['fetch'], url: string, signal: AbortSignal): Promise<ForgeReply | null> {
  try {
    const response = await fetch(url, { signal, headers: { accept: 'application/json' }, redirect: 'manual' })
    const { status, headers } = response
    return { status, headers, body: parseJson(await readStart(response)) }
  } catch {
    return null
  }
}

async function readStart(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > replyBytesMax) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** GitLab tells its version to signed-in users alone, and refuses everybody else in words of its own. */
async function isGitlab(ask: Ask, origin: string): Promise<boolean> {
  const reply = await ask(origin, '/api/v4/version')
  if (reply?.status === 200)
    return z.object({ version: z.string(), revision: z.string() }).safeParse(reply.body).success
  return reply?.status === 401 && z.object({ message: z.literal('401 Unauthorized') }).safeParse(reply.body).success
}

/** What Gitea and Forgejo say where strangers see nothing. */
const giteaRefusal = z.object({ message: z.string().regex(/signed in|user does not exist|token is required/i) })

async function isGitea(ask: Ask, origin: string): Promise<boolean> {
  const reply = await ask(origin, '/api/v1/version')
  if (reply?.status === 200) return z.object({ version: z.string() }).safeParse(reply.body).success
  return (reply?.status === 401 || reply?.status === 403) && giteaRefusal.safeParse(reply.body).success
}

async function isGithub(ask: Ask, origin: string): Promise<boolean> {
  const reply = await ask(origin, '/api/v3/meta')
  if (reply === null) return false
  const isNamed = reply.headers.has('x-github-enterprise-version') || reply.headers.has('x-github-request-id')
  return isNamed || z.object({ installed_version: z.string() }).safeParse(reply.body).success
}
