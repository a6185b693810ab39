import { type ForgeKind, forgeKinds, forges } from '../contract/code-hosts.ts'
import { parseRemoteUrl } from '../git/remotes/remote-url.ts'
import { parseJson } from '../base/parse-json.ts'
import { readBodyStart } from '../base/body-start.ts'
import type { AskForge, ForgeReply } from './forge/forge-adapter.ts'
import { type ForgeLocation, readForgeLocation } from './forge/forge-location.ts'
import { forgeAdapters } from './forge-adapters.ts'

/** Whether host and length alone make an address plausible, before any request is sent. */
export function isOnKnownForge(address: string): boolean {
  const url = URL.parse(address)
  const parts = url?.pathname.split('/').filter(Boolean) ?? []
  return url !== null && kindOfHost(url) !== null && parts.length >= 2
}

function kindOfHost({ hostname }: URL): ForgeKind | null {
  const name = hostname.replace(/^www\./, '')
  return forgeKinds.find((kind) => forges[kind].hosts.includes(name)) ?? null
}

const askTimeoutMs = 10_000
const replyBytesMax = 64 * 1024

export interface FindForgeDeps {
  /** Connects only to addresses that the settings allow, and follows no redirects. */
  fetch: typeof fetch
}

/**
 * Detects which kind of forge a repository address is on: by its host name, else by endpoints that each kind documents
 * and answers without a credential.
 *
 * @returns Null if the address is on none of them, or its host does not answer.
 * @throws {AppError} `invalid_request` for a malformed address.
 */
export async function findForge(
  { fetch }: FindForgeDeps,
  address: string,
  signal: AbortSignal,
): Promise<ForgeLocation | null> {
  const url = parseRemoteUrl(address)
  const known = kindOfHost(url)
  if (known !== null) return readForgeLocation({ kind: known, location: withoutWww(url) })
  for (const origin of originsOf(url)) {
    const ask: AskForge = (path) =>
      askForge(fetch, `${origin}${path}`, AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]))
    const answers = await Promise.all(forgeKinds.map((kind) => forgeAdapters[kind].isAt(ask)))
    const kind = forgeKinds.find((_, position) => answers[position] === true)
    if (kind !== undefined) return readForgeLocation({ kind, location: address, origin })
  }
  return null
}

function withoutWww(url: URL): string {
  return url.href.replace(/^(https:\/\/)www\./, '$1')
}

/** The root of the host, then the first path segment, because a forge may share its host. */
function originsOf({ origin, pathname }: URL): string[] {
  const parts = pathname.split('/').filter(Boolean)
  return parts.length > 2 ? [origin, `${origin}/${parts[0]}`] : [origin]
}

async function askForge(fetch: FindForgeDeps['fetch'], url: string, signal: AbortSignal): Promise<ForgeReply | null> {
  try {
    const response = await fetch(url, { signal, headers: { accept: 'application/json' }, redirect: 'manual' })
    const { status, headers } = response
    const { bytes } = await readBodyStart(response.body, replyBytesMax)
    return { status, headers, body: parseJson(bytes.toString('utf8')) }
  } catch {
    return null
  }
}
