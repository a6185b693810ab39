import { AddressRefusedError } from '../base/address-book.ts'
import type { Clock } from '../base/clock.ts'
import { signStandardWebhook } from '../codehost/webhooks/webhook-signature.ts'
import { SealedSecretError } from '../store/sealed/sealed-secret.ts'
import type { WebhookSendClaim } from '../store/webhooks/webhook-sends.ts'
import { readBodyStart } from '../base/body-start.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface SendWebhookDeps {
  clock: Clock
  secrets: WebhookSecrets
  /** Dials only addresses that the settings allow, and follows no redirects. */
  fetch: typeof fetch
  /** Time limit including the response; default 10,000 ms. */
  timeoutMs?: number
}

/** Outcome of one attempt. */
export interface SentWebhook {
  /** Null without a response. */
  status: number | null
  durationMs: number
  /** A sentence; null on success. */
  failure: string | null
  /** The start of the response body; null without a response. */
  reply: string | null
}

export const sendTimeoutMsDefault = 10_000
const replyCharsMax = 500
const replyBytesMax = 4 * replyCharsMax

/**
 * Sends an event to an endpoint once. Every failure is an outcome.
 *
 * The timestamp is that of the attempt, so that receivers may reject old messages; the id stays the same, so that they
 * can recognise duplicates.
 *
 * @see https://www.standardwebhooks.com
 */
export async function sendWebhook(
  deps: SendWebhookDeps,
  send: WebhookSendClaim,
  stop: AbortSignal,
): Promise<SentWebhook> {
  const { clock, timeoutMs = sendTimeoutMsDefault } = deps
  const startedAt = clock.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const sent = await post(deps, send, AbortSignal.any([stop, timeout])).catch((error: unknown) => ({
    status: null,
    reply: null,
    failure: timeout.aborted ? `The endpoint took longer than ${timeoutMs / 1_000} seconds.` : describeError(error),
  }))
  return { ...sent, durationMs: clock.now() - startedAt }
}

async function post({ fetch, clock, secrets }: SendWebhookDeps, send: WebhookSendClaim, signal: AbortSignal) {
  const body = Buffer.from(send.body)
  const id = send.eventId
  const timestamp = String(Math.floor(clock.now() / 1_000))
  const key = secrets.openKey(send.endpointId, send.secretSealed)
  const response = await fetch(send.url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Docent-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signStandardWebhook({ id, timestamp, body, key }),
    },
    body,
    signal,
  })
  const { status } = response
  const { bytes } = await readBodyStart(response.body, replyBytesMax)
  // PostgreSQL cannot store NUL characters.
  const reply = new TextDecoder().decode(bytes).replaceAll('\0', '').slice(0, replyCharsMax)
  return { status, reply, failure: describeStatus(status) }
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) {
    return `The endpoint answered ${status}: redirects are not followed. Give the address that it leads to.`
  }
  return `The endpoint answered ${status} instead of a status from 200 to 299.`
}

function describeError(error: unknown): string {
  if (error instanceof AddressRefusedError || error instanceof SealedSecretError) return error.message
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : ''
  return `The endpoint could not be reached${code}. Check its address, and that its server runs.`
}
