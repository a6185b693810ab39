import { hash } from 'node:crypto'
import { z } from 'zod'
import { isSameSecret } from '../../base/same-secret.ts'
import {
  ignore,
  ignoreKind,
  parseWebhookBody,
  readDeliveryId,
  readPayload,
  toComment,
  toPush,
} from '../webhooks/parse-webhook-body.ts'
import type { SignedWebhook, WebhookEvent, WebhookReader } from '../webhooks/webhook-event.ts'
import { isStandardWebhook } from '../webhooks/webhook-signature.ts'

const project = z.object({
  path_with_namespace: z.string().min(1).max(1_000),
  web_url: z.string().max(2_000).nullish(),
  default_branch: z.string().nullish(),
})
const push = z.object({ ref: z.string().max(1_000), after: z.string().max(100), project })
const mergeRequest = z.object({ project, object_attributes: z.object({ iid: z.number().int().positive() }) })
const note = z.object({
  project,
  user: z.object({ username: z.string().max(300) }),
  object_attributes: z.object({
    id: z.number(),
    note: z.string().max(1_100_000),
    noteable_type: z.string().nullish(),
    action: z.string().nullish(),
    system: z.boolean().nullish(),
    position: z.object({ new_path: z.string().max(4_000).nullish(), new_line: z.number().int().nullish() }).nullish(),
  }),
  merge_request: z.object({ iid: z.number().int().positive() }).nullish(),
})

/** @see https://docs.gitlab.com/user/project/integrations/webhook_events/ */
export const gitlabWebhook: WebhookReader = {
  carriesSignature: (headers) => headers.has('webhook-signature') || (headers.get('x-gitlab-token') ?? '') !== '',
  isSigned(webhook, secret, nowMs) {
    const { headers } = webhook
    // A signing sender must be verified by signature: the plain token alone would allow replays.
    if (headers.has('webhook-signature')) return isSignedByToken(webhook, secret, nowMs)
    return isSameSecret(headers.get('x-gitlab-token') ?? '', secret)
  },
  readDelivery({ headers, body }) {
    const payload = parseWebhookBody(body)
    const given = headers.get('webhook-id') ?? headers.get('idempotency-key')
    // All deliveries triggered by one event share its UUID, so only UUID and body together identify a delivery.
    const fallback = () => hash('sha256', Buffer.concat([Buffer.from(`${headers.get('x-gitlab-event-uuid')} `), body]))
    return { deliveryId: readDeliveryId(given, fallback), event: readEvent(payload) }
  },
}

function isSignedByToken({ headers, body }: SignedWebhook, secret: string, nowMs: number): boolean {
  const id = headers.get('webhook-id') ?? ''
  const timestamp = headers.get('webhook-timestamp') ?? ''
  const signature = headers.get('webhook-signature') ?? ''
  return isStandardWebhook({ id, timestamp, signature, body }, Buffer.from(secret, 'base64url'), nowMs)
}

function readEvent(payload: unknown): WebhookEvent {
  const kind = z.object({ object_kind: z.string() }).safeParse(payload)
  const name = kind.success ? kind.data.object_kind : ''
  switch (name) {
    case 'push':
    case 'tag_push':
      return readPayload(push, payload, ({ ref, after, project: of }) => {
        const isDeleted = /^0+$/.test(after)
        return toPush({ repository: toRepository(of), ref, isDeleted, defaultBranch: of.default_branch })
      })
    case 'merge_request':
      return readPayload(mergeRequest, payload, ({ project: of, object_attributes: { iid } }) => ({
        type: 'pull-request-changed',
        repository: toRepository(of),
        number: iid,
      }))
    case 'note':
      return readPayload(note, payload, readNote)
    default:
      return ignoreKind(name)
  }
}

function toRepository({ path_with_namespace, web_url }: z.output<typeof project>) {
  return { path: path_with_namespace, url: web_url ?? null }
}

function readNote({ project: of, user, object_attributes: given, merge_request }: z.output<typeof note>): WebhookEvent {
  if (given.noteable_type !== 'MergeRequest' || merge_request == null) {
    return ignore('The comment is not on a merge request.')
  }
  if (given.system === true) return ignore('The host wrote the comment itself.')
  if (given.action === 'update') return ignore('Only new comments are read.')
  const { new_path: path = null, new_line: line = null } = given.position ?? {}
  const place = { repository: toRepository(of), number: merge_request.iid, commentId: `note:${given.id}`, path, line }
  return toComment(place, { author: user.username, body: given.note })
}
