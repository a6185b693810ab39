import type { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import type { CommentAdded, WebhookEvent, WebhookRepository } from './webhook-event.ts'

/** @throws {AppError} `invalid_json`, also for bytes that are not UTF-8. */
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

/** Parses a payload by its schema; a mismatch is ignored with the reason. */
export function readPayload<Schema extends z.ZodType>(
  schema: Schema,
  payload: unknown,
  toEvent: (payload: z.output<Schema>) => WebhookEvent,
): WebhookEvent {
  const parsed = schema.safeParse(payload)
  if (parsed.success) return toEvent(parsed.data)
  const [issue] = parsed.error.issues
  const at = issue?.path.map(String).join('.') ?? ''
  return ignore(`Its payload has an unexpected shape at "${at}": ${issue?.message ?? 'unknown'}.`)
}

export function ignore(reason: string): WebhookEvent {
  return { type: 'ignored', reason }
}

/** @param name Of the event, as the host calls it. */
export function ignoreKind(name: string): WebhookEvent {
  return ignore(`Docent does not handle the event "${name.slice(0, 100)}".`)
}

/** @param push.ref The full ref. */
export function toPush(push: {
  repository: WebhookRepository
  ref: string
  isDeleted: boolean
  defaultBranch: string | null | undefined
}): WebhookEvent {
  const { repository, ref, isDeleted, defaultBranch } = push
  const name = /^refs\/(?:heads|tags)\/(.+)$/.exec(ref)?.[1]
  if (name === undefined) return ignore('The ref is neither a branch nor a tag.')
  if (isDeleted) return ignore('The branch or tag was deleted.')
  return { type: 'push', repository, ref: name, isDefaultBranch: ref === `refs/heads/${defaultBranch}` }
}

type Place = Pick<CommentAdded, 'repository' | 'number' | 'commentId'> & Partial<Pick<CommentAdded, 'path' | 'line'>>

/** @param written.isBot Whether the payload marks the author as a bot; the author's name may do so too. */
export function toComment(
  place: Place,
  {
    author,
    body,
    isBot = false,
  }: { author: string | null | undefined; body: string | null | undefined; isBot?: boolean },
): WebhookEvent {
  if (author == null) return ignore('Its author is unknown.')
  if (body == null || body.trim() === '') return ignore('It has no text.')
  return {
    type: 'comment-added',
    path: null,
    line: null,
    ...place,
    author,
    isBot: isBot || botNames.test(author),
    body,
  }
}

/** Account names that hosts reserve for bots. */
const botNames = /\[bot\]$|^(?:project|group)_\d+_bot|^service_account_|^(?:gitea|forgejo)-actions$|^ghost$/i

/** A sender's id or a substitute, bounded because it becomes part of a row's key. */
export function readDeliveryId(given: string | null, fallback: () => string): string {
  return given !== null && /^[\x21-\x7e]{1,200}$/.test(given) ? given : fallback()
}
