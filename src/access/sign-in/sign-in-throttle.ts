import { dayMs } from '../../base/durations.ts'
import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { AppError } from '../../contract/app-error.ts'
import {
  forgetAttempts,
  returnAttempt,
  hasSucceededSince,
  recordSignInSuccess,
  restartFutureDelays,
  takeSignInAttempt,
} from '../../store/accounts/sign-in-attempts.ts'
import type { Store } from '../../store/store.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import { normalizeAddress } from '../keys/ip-ranges.ts'

/** Failures are forgotten after this long without a new one. */
export const attemptMemoryMs: number = dayMs

/** How long the network of a successful sign-in is remembered. */
export const successMemoryMs: number = 30 * attemptMemoryMs

/** Longest delay. */
const delayMsMax = 15 * 60_000

/**
 * Per account and network: typos cost nothing, and guessing stalls after a dozen attempts. Not per account alone, so
 * that nobody can lock the owner out from elsewhere.
 */
const pairDelays = { freeFailures: 5, delayMs: 1_000, delayMsMax }

/** Per network over all accounts, against one password tried on many. Higher, because an office shares one network. */
const networkDelays = { freeFailures: 30, delayMs: 1_000, delayMsMax }

/**
 * Per account over all networks, against guesses from many. Delays by seconds only, and not on networks the account has
 * signed in from, because the owner would have to wait too.
 */
const accountDelays = { freeFailures: 5, delayMs: 1_000, delayMsMax: 30_000 }

/**
 * This many failures from one network count once against the account, because a single network's own delays slow it.
 */
const failuresPerCount = 6

/** An attempt that was allowed. */
export interface CountedAttempt {
  /** Call it once the attempt has succeeded. */
  succeed(): Promise<void>
  /** Call it if the service failed before the outcome was known. */
  giveBack(): Promise<void>
}

/**
 * Counts a sign-in attempt by account and network together, by network, and by account. Counted in the database, to
 * hold across replicas, and in one transaction, so that a refused attempt counts for nothing. Unknown accounts are
 * counted like known ones.
 *
 * @throws {AppError} `limit_reached` (429) with `Retry-After` of at most 900 seconds. It reveals nothing about the
 *   password.
 */
export async function countSignInAttempt(
  { store, clock }: StoreDeps,
  { account, address }: { account: string; address: string },
): Promise<CountedAttempt> {
  const now = clock.now()
  const subjects = nameSubjects(account, networkOf(address))
  const counted = [subjects.pair, subjects.network, subjects.account]
  await restartFutureDelays(store.durable, { subjects: counted, now, delayMsMax })
  const hasCountedAccount = await store.durable
    .transaction()
    .execute((transaction) => takeAttempts(transaction, subjects, now))
  const giveBackOthers = async (db: Store['durable']) => {
    await returnAttempt(db, subjects.network)
    if (hasCountedAccount) await returnAttempt(db, subjects.account)
  }
  return {
    succeed: () =>
      store.durable.transaction().execute(async (transaction) => {
        await forgetAttempts(transaction, subjects.pair)
        await giveBackOthers(transaction)
        await recordSignInSuccess(transaction, subjects.success, now)
      }),
    giveBack: () =>
      store.durable.transaction().execute(async (transaction) => {
        await returnAttempt(transaction, subjects.pair)
        await giveBackOthers(transaction)
      }),
  }
}

type Subjects = Readonly<Record<'pair' | 'network' | 'account' | 'success', string>>

function nameSubjects(account: string, network: string): Subjects {
  const pair = `${network} ${account}`
  return {
    pair: hashSubject('pair', pair),
    network: hashSubject('network', network),
    account: hashSubject('account', account),
    success: hashSubject('success', pair),
  }
}

/** @returns Whether the account itself was counted. @throws {AppError} `limit_reached`. */
async function takeAttempts(db: Store['durable'], subjects: Subjects, now: number): Promise<boolean> {
  const take = async (subject: string, delays: typeof pairDelays): Promise<number> => {
    const forgetBefore = now - attemptMemoryMs
    const attempt = await takeSignInAttempt(db, { subject, now, forgetBefore, ...delays })
    if (!attempt.isTaken) throw tooManyAttempts(attempt.waitMs)
    return attempt.failures
  }
  const failures = await take(subjects.pair, pairDelays)
  await take(subjects.network, networkDelays)
  if (failures % failuresPerCount !== 1) return false
  if (await hasSucceededSince(db, subjects.success, now - successMemoryMs)) return false
  await take(subjects.account, accountDelays)
  return true
}

/** The range one customer of a provider typically has: 256 IPv4 addresses, or an IPv6 /56. */
export function networkOf(address: string): string {
  const canonical = normalizeAddress(address)
  if (canonical === null) return 'unknown'
  const parsed = ipaddr.parse(canonical)
  const bits = parsed.kind() === 'ipv4' ? 24 : 56
  const network = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${network.networkAddressFromCIDR(`${canonical}/${bits}`).toString()}/${bits}`
}

/** Hashed, because a failed "account" is often a password typed into the wrong field. */
function hashSubject(kind: string, subject: string): string {
  return `${kind}:${createHash('sha256').update(subject).digest('base64url')}`
}

function tooManyAttempts(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new AppError('limit_reached', `Too many failed sign-in attempts. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
