import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { consumeLimits } from '../../store/counts/counters.ts'
import type { ApiKey } from '../../store/accounts/keys.ts'
import { readCounts } from '../../store/counts/read-counters.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import { isSameSecret } from '../../base/same-secret.ts'
import { clientNetwork } from '../client-network.ts'
import { windowBounds } from '../limits/limit-windows.ts'
import { isOutage } from '../limits/outage-counts.ts'
import { chooseProofBits, isProof } from './proof-of-work.ts'

const tokenMs = 600_000
const challengeMs = 300_000
/** Allowance for replicas whose clocks differ. */
const skewMsMax = 60_000

/** Counter of a network's requests with a key, which determines the pressure. */
export const networkMinute = 'network-minute'

/** Subject of per-network limits: one network's use of one key. */
export function networkOfKey(key: ApiKey, address: string): string {
  return `${key.id} ${clientNetwork(address)}`
}

/** Longest signed text that is verified. */
const signedCharsMax = 1_000

const claimsSchema = z.object({
  id: z.string(),
  keyId: z.string(),
  network: z.string(),
  bits: z.number().int(),
  /** UTC milliseconds. */
  expiresAt: z.number().int(),
})

/** A session or puzzle is valid for one key and one network, for a few minutes. */
type Claims = z.output<typeof claimsSchema>

/** `bits` is the difficulty of the solved puzzle. */
export type ReaderSession = Claims

/** A puzzle, or the session granted for solving one. */
export type SessionOffer =
  | { kind: 'session'; token: string; expiresAt: number }
  | { kind: 'puzzle'; challenge: string; bits: number; expiresAt: number }

export interface ReaderSessionsDeps extends StoreDeps {
  randomBytes(size: number): Buffer
  /** The same in every process of the installation. */
  signingKey: Buffer
}

/**
 * Short-lived sessions of readers: free in quiet times, paid for with proof of work under pressure.
 *
 * They are signed rather than stored, so that any process accepts sessions of any other. Only solved puzzles are
 * recorded in the database, so that each is redeemed once.
 */
export class ReaderSessions {
  readonly #deps: ReaderSessionsDeps

  constructor(deps: ReaderSessionsDeps) {
    this.#deps = deps
  }

  /** A session if no proof is needed now; otherwise a puzzle. */
  async offer(key: ApiKey, address: string): Promise<SessionOffer> {
    const bits = await this.#bitsNow(key, address)
    if (bits === 0) return this.#makeSession(key.id, address, 0)
    const claims = this.#makeClaims(key.id, address, bits, challengeMs)
    return { kind: 'puzzle', challenge: this.#sign('challenge', claims), bits, expiresAt: claims.expiresAt }
  }

  /** @throws {AppError} `proof_invalid` if the solution is wrong, was used before, or is for another key or network. */
  async redeem(key: ApiKey, address: string, solution: { challenge: string; nonce: string }): Promise<SessionOffer> {
    const claims = this.#read('challenge', solution.challenge, key.id, address)
    if (claims === null || !isProof(solution.challenge, solution.nonce, claims.bits)) throw proofInvalid()
    const { id, expiresAt, bits } = claims
    const use = { name: 'proof', subject: id, windowStart: expiresAt, max: 1 }
    if (!(await consumeLimits(this.#deps.store, [use])).taken) throw proofInvalid()
    return this.#makeSession(key.id, address, bits)
  }

  /**
   * Reads the session of a request, if the owner requires sessions. How many requests a session covers is decided when
   * they are counted: see `countProvenRequests`.
   *
   * @param token The `X-Docent-Session` header.
   * @returns Null if the request has no valid session and needs none yet.
   * @throws {AppError} `session_required`.
   */
  require(key: ApiKey, address: string, token: string | undefined): ReaderSession | null {
    if (key.session === 'off') return null
    const session = token === undefined ? null : this.#read('session', token, key.id, address)
    if (session === null && key.session === 'always') throw sessionRequired()
    return session
  }

  /** A name for the readers of a network on this day (UTC) that does not tell the network. */
  nameNetwork(address: string): string {
    const { startsAt } = windowBounds('day', this.#deps.clock.now())
    const mac = this.#macOf('network', `${startsAt} ${clientNetwork(address)}`)
    return `network-${mac.toString('base64url').slice(0, 16)}`
  }

  /** Based on the higher rate of this minute (including the coming request) and the previous one. */
  async #bitsNow(key: ApiKey, address: string): Promise<number> {
    if (key.session === 'off') return 0
    const { startsAt } = windowBounds('minute', this.#deps.clock.now())
    const before = windowBounds('minute', startsAt - 1).startsAt
    const [current, last] = await Promise.all([startsAt, before].map((start) => this.#count(key, address, start)))
    return chooseProofBits(Math.max((current ?? 0) + 1, last ?? 0), key.normalPerMinute)
  }

  async #count(key: ApiKey, address: string, windowStart: number): Promise<number> {
    const subject = networkOfKey(key, address)
    try {
      const request = { name: networkMinute, windowStart, subjects: [subject] }
      return (await readCounts(this.#deps.store.relaxed, request)).get(subject) ?? 0
    } catch (error) {
      // Searches work without the database and still need a session.
      if (isOutage(error)) return 0
      throw error
    }
  }

  #makeSession(keyId: string, address: string, bits: number): SessionOffer {
    const claims = this.#makeClaims(keyId, address, bits, tokenMs)
    return { kind: 'session', token: this.#sign('session', claims), expiresAt: claims.expiresAt }
  }

  #makeClaims(keyId: string, address: string, bits: number, lifetimeMs: number): Claims {
    const { clock, randomBytes } = this.#deps
    const id = randomBytes(16).toString('base64url')
    return { id, keyId, network: clientNetwork(address), bits, expiresAt: clock.now() + lifetimeMs }
  }

  /** The purpose is signed too, so that a puzzle cannot pass for a session. */
  #sign(purpose: 'challenge' | 'session', claims: Claims): string {
    const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
    return `${text}.${this.#macOf(purpose, text).toString('base64url')}`
  }

  #macOf(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#deps.signingKey).update(`${purpose}\n${text}`).digest()
  }

  #read(purpose: 'challenge' | 'session', signed: string, keyId: string, address: string): Claims | null {
    const [text = '', mac = ''] = signed.length > signedCharsMax ? [] : signed.split('.')
    if (!isSameSecret(Buffer.from(mac, 'base64url'), this.#macOf(purpose, text))) return null
    const claims = claimsSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    const isFor = claims.keyId === keyId && claims.network === clientNetwork(address)
    const leftMs = claims.expiresAt - this.#deps.clock.now()
    // None lasts longer, unless the clock that it was made by ran ahead.
    return isFor && leftMs > 0 && leftMs <= tokenMs + skewMsMax ? claims : null
  }
}

/** @param headers Tell the client when it can continue without a session, if ever. */
export function sessionRequired(headers: Readonly<Record<string, string>> = {}): AppError {
  return new AppError(
    'session_required',
    'This request needs a session. Get one with POST /discovery/v2/session/{domain} and send it in the X-Docent-Session header.',
    { headers },
  )
}

function proofInvalid(): AppError {
  return new AppError(
    'proof_invalid',
    'This does not solve an open puzzle for this key and address, or it was already used. Ask for a new puzzle.',
  )
}
