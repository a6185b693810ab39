import { AddressRefusedError } from '../base/address-book.ts'
import type { Clock } from '../base/clock.ts'
import { signStandardWebhook } from '../codehost/webhooks/webhook-signature.ts'
import { SealedSecretError } from '../store/sealed-secret.ts'
import type { WebhookSendClaim } from '../store/webhook-sends.ts'
import type { WebhookSecrets } from './webhook-secrets.ts'

export interface SendWebhookDeps {
  clock: Clock
  secrets: WebhookSecrets
  /** Dials only addresses that the settings allow, and follows no redirect. */
  fetch: typeof fetch
  /** Longest time until the reply is read; 10,000 ms unless given. */
  timeoutMs?: number
}

/** What came of one try. */
export interface SentWebhook {
  /** Null where nothing answered. */
  status: number | null
  durationMs: number
  /** A sentence; null for one that worked. */
  failure: string | null
  /** How the reply began; null where there was none. */
  reply: string | null
}

export const sendTimeoutMsDefault = 10_000
const replyCharsMax = 500
const replyBytesMax = 4 * replyCharsMax

/**
 * Sends an event to an endpoint, once. Every failure is an outcome.
 *
 * @see https://www.standardwebhooks.com for the headers. The time is that of the try, so that receivers may refuse what
 *   is old; the id stays the same, so that they know a repetition.
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
  const reply = await readStart(response)
  return { status, reply, failure: describeStatus(status) }
}

/** The rest is left unread: it may never end. */
async function readStart({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes >= replyBytesMax) break
  }
  // PostgreSQL stores no such sign.
  return new TextDecoder().decode(Buffer.concat(chunks)).replaceAll('\0', '').slice(0, replyCharsMax)
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
