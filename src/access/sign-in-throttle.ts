import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import { forgetAttempts, giveBackAttempt, takeSignInAttempt } from '../store/sign-in-attempts.ts'
import type { Store } from '../store/store.ts'
import { normalizeAddress } from './ip-ranges.ts'

/** Failures are forgotten when there was none for so long. */
export const attemptMemoryMs: number = 24 * 60 * 60_000

/** Typing errors cost nothing; a list of guesses is out of breath after a dozen. */
const accountDelays = { freeFailures: 5, delayMs: 1_000, delayMsMax: 15 * 60_000 }

/** Wider, because an office signs in from one address, and because it stops those who try one password on many accounts. */
const networkDelays = { freeFailures: 30, delayMs: 1_000, delayMsMax: 15 * 60_000 }

export interface ThrottleDeps {
  store: Store
  clock: Clock
}

/** An attempt that was let through. */
export interface CountedAttempt {
  /** Call it once the attempt has succeeded. */
  succeed(): Promise<void>
}

/**
 * Counts an attempt to sign in, by account and by network, in the database, so that it holds across replicas. Unknown
 * accounts are counted like known ones.
 *
 * @throws {AppError} `limit_reached` (429) with `Retry-After` while a delay runs. It tells nothing about the password.
 */
export async function countSignInAttempt(
  { store, clock }: ThrottleDeps,
  { account, address }: { account: string; address: string },
): Promise<CountedAttempt> {
  const db = store.durable
  const now = clock.now()
  const forgetBefore = now - attemptMemoryMs
  const network = hashSubject('network', networkOf(address))
  const subject = hashSubject('account', account)
  const networkWaitMs = await takeSignInAttempt(db, { subject: network, now, forgetBefore, ...networkDelays })
  if (networkWaitMs !== null) throw tooManyAttempts(networkWaitMs)
  const accountWaitMs = await takeSignInAttempt(db, { subject, now, forgetBefore, ...accountDelays })
  if (accountWaitMs !== null) throw tooManyAttempts(accountWaitMs)
  return {
    async succeed() {
      await forgetAttempts(db, subject)
      await giveBackAttempt(db, network)
    },
  }
}

/** What one customer of a network has: 256 addresses of IPv4, a /56 of IPv6. */
export function networkOf(address: string): string {
  const canonical = normalizeAddress(address)
  if (canonical === null) return 'unknown'
  const parsed = ipaddr.parse(canonical)
  const bits = parsed.kind() === 'ipv4' ? 24 : 56
  const network = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${network.networkAddressFromCIDR(`${canonical}/${bits}`).toString()}/${bits}`
}

/** Hashed, because what fails is often a password in the wrong field. */
function hashSubject(kind: string, subject: string): string {
  return `${kind}:${createHash('sha256').update(subject).digest('base64url')}`
}

function tooManyAttempts(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return new AppError('limit_reached', `Too many attempts to sign in have failed. Try again in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
