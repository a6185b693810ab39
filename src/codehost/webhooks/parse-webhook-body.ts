import type { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { WebhookEvent } from './webhook-event.ts'

/** @throws {AppError} `invalid_json`, also for bytes that are no UTF-8. */
export function parseWebhookBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw new AppError(
      'invalid_json',
      'The body is not JSON in UTF-8. Choose JSON as the content type of the webhook.',
      {
        cause,
      },
    )
  }
}

/** Reads a payload by its schema; one of another shape is ignored with the reason. */
export function readPayload<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  toEvent: (payload: z.output<Schema>) => WebhookEvent,
): WebhookEvent {
  const parsed = schema.safeParse(payload)
  if (parsed.success) return toEvent(parsed.data)
  const [issue] = parsed.error.issues
  const at = issue?.path.map(String).join('.') ?? ''
  return ignore(`Its payload has another shape than expected at "${at}": ${issue?.message ?? 'unknown'}.`)
}

export function ignore(reason: string): WebhookEvent {
  return { type: 'ignored', reason }
}

/** The name of a branch or tag; null for every other ref. */
export function readRefName(ref: string): string | null {
  return /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1] ?? null
}

/** Accounts that only programs have, by the names that hosts give them. */
export function hasBotName(name: string): boolean {
  return /\[bot\]$|^(?:project|group)_\d+_bot|^service_account_|^(?:gitea|forgejo)-actions$|^ghost$/i.test(name)
}

/** An id of a sender, or what stands for it; bounded, because it becomes part of a row's key. */
export function readDeliveryId(given: string | null, fallback: () => string): string {
  return given !== null && /^[\x21-\x7e]{1,200}$/.test(given) ? given : fallback()
}
