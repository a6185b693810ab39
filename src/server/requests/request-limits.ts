import type { MiddlewareHandler } from 'hono/types'
import { addressBlock, clientNetwork, findOwnBlock } from '../../access/client-network.ts'
import { countProvenRequests } from '../../access/readers/proof-of-work.ts'
import {
  networkMinute,
  networkOfKey,
  type ReaderSession,
  sessionRequired,
} from '../../access/readers/reader-sessions.ts'
import {
  type Limit,
  type RateLimitHeaders,
  refuseUsedUp,
  consumeLimits,
  consumeLimitsInOutage,
} from '../../access/limits/consume-limits.ts'
import { AppError } from '../../contract/app-error.ts'
import type { ReaderUse } from '../../contract/operations/operation.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import type { Admission, AppContext, AppEnv } from '../app-env.ts'
import { readErrorCode } from '../replies/error-response.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Questions per session: a long conversation. Anyone with more to ask gets another session. */
export const sessionMax = 60

export const handOversPerHour = 60
export const handOversOfNetworkPerDay = 20

/** How many times the daily share of one network a whole block of IPv6 networks has. */
const blockShares = 4

/** Part of the organization's hour that such a block may use. */
const blockHourShare = 0.5

/** The maximum of limits that count and never refuse. */
const countsOnly = Number.MAX_SAFE_INTEGER

/**
 * Requires the key's session and refuses requests already known to exceed a limit, before the body is read.
 *
 * @throws {AppError} `session_required`, `limit_reached`.
 */
export function admitReader(deps: ServerDeps, use: ReaderUse): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const { key } = c.get('readerRequest')
    const address = c.get('clientAddress')
    const session = findSession(deps, use, { key, address, token: c.req.header('x-docent-session') })
    const limits = [...useLimits(deps, use, key, address), ...networkLimits(deps, use, { key, address, session })]
    refuseUsedUp(deps, limits)
    c.set('admission', { use, session, limits })
    return next()
  }
}

/** Clients of MCP and of OpenAI's API cannot solve puzzles. */
function findSession(
  { readerSessions }: ServerDeps,
  use: ReaderUse,
  { key, address, token }: { key: ApiKey; address: string; token: string | undefined },
): ReaderSession | null {
  if (use === 'tool') return null
  if (use !== 'completion') return readerSessions.require(key, address, token)
  if (key.session !== 'always') return null
  throw new AppError(
    'session_required',
    'This key is for web pages: it requires sessions, which clients of this API cannot get. Use an assistant key with the purpose server.',
  )
}

/**
 * Counts an admitted request against all of its limits, in one statement. Searches are counted even while the database
 * is unreachable.
 *
 * @throws {AppError} `limit_reached`, `session_required`.
 */
export function consumeReaderLimits(c: AppContext, deps: ServerDeps): Promise<RateLimitHeaders> {
  const { use, limits } = c.get('admission')
  return use === 'search' || use === 'tool' ? consumeLimitsInOutage(deps, limits) : consumeLimits(deps, limits)
}

/**
 * Limits of a search or feedback on a served page, or of a question over MCP: those of the key, but without a session,
 * which forms and other programs cannot get.
 *
 * @throws {AppError} `session_required` for a question, if the key demands a session of everybody.
 */
export function listPageLimits(
  deps: ServerDeps,
  use: 'search' | 'feedback' | 'completion',
  { key, address }: { key: ApiKey; address: string },
): Limit[] {
  const client = { key, address, session: null }
  if (use === 'completion') findSession(deps, use, { key, address, token: undefined })
  return [...useLimits(deps, use, key, address), ...networkLimits(deps, use === 'completion' ? use : 'tool', client)]
}

/** Contractual limits, which apply to every key. */
function useLimits(deps: ServerDeps, use: ReaderUse, key: ApiKey, address: string): Limit[] {
  const { keyPerMonth, organizationPerHour, searchPerHour } = deps.limits
  const ofOrganization = { subject: key.organizationId, window: 'hour', whose: 'This organization' } as const
  if (use === 'feedback') return [{ name: 'feedback', max: searchPerHour, ...ofOrganization }]
  if (use === 'hand-over') return handOverLimits(key, address)
  if (!isAnswer(use)) return [{ name: 'search', max: searchPerHour, ...ofOrganization }]
  return [
    { name: 'key', subject: key.id, window: 'month', max: keyPerMonth, whose: 'This key' },
    { name: 'org', max: organizationPerHour, ...ofOrganization },
    addressLimit(deps, address),
    ...blockLimits(deps, address),
  ]
}

/** Each one is an e-mail or an issue that a person has to read. */
function handOverLimits(key: ApiKey, address: string): Limit[] {
  return [
    { name: 'hand-over', subject: key.id, window: 'hour', max: handOversPerHour, whose: 'This site' },
    { ...ofNetwork(key, address), name: 'hand-over-day', window: 'day', max: handOversOfNetworkPerDay },
  ]
}

function isAnswer(use: ReaderUse): boolean {
  return use === 'answer' || use === 'completion'
}

/** Limits configured by the operator. */
function blockLimits({ limits: { prefixPerMinute, prefixPerDay } }: ServerDeps, address: string): Limit[] {
  const subject = addressBlock(address)
  const windows = [
    { name: 'net-minute', window: 'minute', max: prefixPerMinute },
    { name: 'net', window: 'day', max: prefixPerDay },
  ] as const
  return windows
    .filter(({ max }) => max > 0)
    .map((limit) => ({ ...limit, subject, whose: `The block of addresses ${subject}` }))
}

function addressLimit({ limits: { addressPerDay } }: ServerDeps, address: string): Limit {
  const subject = clientNetwork(address)
  return { name: 'ip', subject, window: 'day', max: addressPerDay, whose: `The address ${subject}` }
}

interface Client {
  key: ApiKey
  address: string
  session: ReaderSession | null
}

/** Limits per network and per session. */
function networkLimits(deps: ServerDeps, use: ReaderUse, { key, address, session }: Client): Limit[] {
  const proof = use === 'tool' || use === 'completion' ? 'none' : session
  const limits = [
    ...minuteLimit(key, address, proof),
    ...dayLimit(key, address),
    ...blockLimit(deps, use, key, address),
  ]
  if (!isAnswer(use)) return limits
  if (key.networkSharePercent > 0) {
    const share = (deps.limits.keyPerMonth * key.networkSharePercent) / 100
    const daily = { window: 'day', name: 'network-share' } as const
    limits.push({ ...ofNetwork(key, address), ...daily, max: Math.max(1, Math.floor(share)) })
    for (const block of ofOwnBlock(key, address))
      limits.push({ ...block, ...daily, name: 'block-share', max: Math.max(1, Math.floor(share * blockShares)) })
  }
  if (session !== null) {
    limits.push({ name: 'session', subject: session.id, window: 'hour', max: sessionMax, whose: 'This session' })
  }
  return limits
}

function ofNetwork(key: ApiKey, address: string) {
  return { subject: networkOfKey(key, address), whose: `The network ${clientNetwork(address)}` }
}

/** A customer of an IPv6 provider may hold 65,536 networks, each with limits of its own. */
function ofOwnBlock(key: ApiKey, address: string) {
  const block = findOwnBlock(address)
  return block === null ? [] : [{ subject: `${key.id} ${block}`, whose: `The block of addresses ${block}` }]
}

function blockLimit({ limits }: ServerDeps, use: ReaderUse, key: ApiKey, address: string): Limit[] {
  if (key.networkPerMinute === 0) return []
  const [name, perHour] = isAnswer(use)
    ? ['block-org', limits.organizationPerHour]
    : ['block-search', limits.searchPerHour]
  const max = Math.max(1, Math.floor(perHour * blockHourShare))
  return ofOwnBlock(key, address).map((block) => ({ ...block, name, window: 'hour', max }))
}

function dayLimit(key: ApiKey, address: string): Limit[] {
  if (key.networkPerDay === 0) return []
  return [{ ...ofNetwork(key, address), name: 'network-day', window: 'day', max: key.networkPerDay }]
}

/**
 * Above the rate that its session has proven, a network needs a session with more proof; above the key's limit, no
 * session helps. One counter serves both, so pressure is exact and shared by all processes.
 *
 * @param session `none` if none is required, so that the limits of the network apply alone.
 */
function minuteLimit(key: ApiKey, address: string, session: ReaderSession | null | 'none'): Limit[] {
  const asksForSession = key.session !== 'off'
  const isLimited = key.networkPerMinute > 0
  if (!asksForSession && !isLimited) return []
  const most = isLimited ? key.networkPerMinute : countsOnly
  const bits = typeof session === 'string' ? 0 : (session?.bits ?? 0)
  const proven = asksForSession && session !== 'none' ? countProvenRequests(bits, key.normalPerMinute) : Infinity
  const limit = { ...ofNetwork(key, address), name: networkMinute, window: 'minute' } as const
  if (proven >= most) return [{ ...limit, max: most, isHidden: most === countsOnly }]
  return [{ ...limit, max: most, until: { max: proven, refuse: sessionRequired } }]
}

/**
 * Counts a refused large body against its network, because reading it was the expensive part. Once the limit is
 * exhausted, `admitReader` refuses further requests before reading them. Does nothing without an assistant key.
 *
 * Never rejects: the request has already been refused.
 */
export async function chargeRefusedBody(c: AppContext, deps: ServerDeps): Promise<void> {
  // The variables may be absent despite their types: the request may have been refused before they were set.
  const admission = c.get('admission') as Admission | undefined
  if (admission === undefined) return
  const { key } = c.get('readerRequest')
  const address = c.get('clientAddress')
  const limits = [addressLimit(deps, address), ...minuteLimit(key, address, 'none'), ...dayLimit(key, address)]
  const charge = (limit: Limit) =>
    consumeLimits(deps, [limit]).catch((error: unknown) => {
      if (readErrorCode(error) !== 'limit_reached') c.get('log').warn({ error }, 'refused-body-not-counted')
    })
  // Each limit separately: an exhausted one must not stop the others from counting.
  await Promise.all(limits.map(charge))
}
