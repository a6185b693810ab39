import { hash } from 'node:crypto'
import { z } from 'zod'
import {
  ignore,
  ignoreKind,
  parseWebhookBody,
  readDeliveryId,
  readPayload,
  toComment,
} from '../webhooks/parse-webhook-body.ts'
import type { WebhookEvent, WebhookReader } from '../webhooks/webhook-event.ts'
import { isHexSignature, readSha256 } from '../webhooks/webhook-signature.ts'
import { pagePath } from './bitbucket-paths.ts'

const repository = z.object({
  slug: z.string().min(1).max(200),
  project: z.object({ key: z.string().min(1).max(200) }),
})
const change = z.object({
  ref: z.object({ displayId: z.string().max(1_000), type: z.string() }),
  type: z.string(),
})
const refsChanged = z.object({ repository, changes: z.array(change) })
const pullRequest = z.object({ id: z.number().int().positive(), toRef: z.object({ repository }) })
const pullRequestChanged = z.object({ pullRequest })
const commentAdded = z.object({
  pullRequest,
  comment: z.object({
    id: z.number().int(),
    text: z.string().max(300_000),
    author: z.object({ name: z.string().max(300), type: z.string().nullish() }),
  }),
})

/** @see https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html */
export const bitbucketWebhook: WebhookReader = {
  carriesSignature: (headers) => readSha256(headers.get('x-hub-signature')) !== null,
  isSigned: ({ headers, body }, secret) =>
    isHexSignature(body, secret, readSha256(headers.get('x-hub-signature')) ?? ''),
  readDelivery({ headers, body }) {
    const payload = parseWebhookBody(body)
    const deliveryId = readDeliveryId(headers.get('x-request-id'), () => hash('sha256', body))
    return { deliveryId, event: readEvent(headers.get('x-event-key') ?? '', payload) }
  },
}

function readEvent(key: string, payload: unknown): WebhookEvent {
  switch (key) {
    case 'repo:refs_changed':
      return readPayload(refsChanged, payload, readPush)
    case 'pr:comment:added':
      return readPayload(commentAdded, payload, readComment)
    case 'pr:opened':
    case 'pr:modified':
    case 'pr:from_ref_updated':
    case 'pr:merged':
    case 'pr:declined':
    case 'pr:deleted':
      return readPayload(pullRequestChanged, payload, ({ pullRequest: of }) => ({
        type: 'pull-request-changed',
        repository: toRepository(of.toRef.repository),
        number: of.id,
      }))
    default:
      return ignoreKind(key)
  }
}

function toRepository({ project, slug }: z.output<typeof repository>) {
  return { path: pagePath(`${project.key}/${slug}`), url: null }
}

/** One payload lists all refs moved by a push, without naming the default branch. */
function readPush({ repository: of, changes }: z.output<typeof refsChanged>): WebhookEvent {
  const moved = changes.filter(({ type }) => type !== 'DELETE')
  const [first, ...others] = moved.map(({ ref }) => ref.displayId)
  if (first === undefined) return ignore('The branches or tags were deleted.')
  const isDefaultBranch = moved.some(({ ref }) => ref.type === 'BRANCH')
  return { type: 'push', repository: toRepository(of), ref: first, otherRefs: others, isDefaultBranch }
}

/** Project and repository tokens have their own account type. */
function readComment({ pullRequest: of, comment }: z.output<typeof commentAdded>): WebhookEvent {
  const place = {
    repository: toRepository(of.toRef.repository),
    number: of.id,
    commentId: `comment:${comment.id}`,
  }
  const { name: author, type } = comment.author
  return toComment(place, { author, body: comment.text, isBot: type === 'SERVICE' })
}
