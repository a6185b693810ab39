import { hash } from 'node:crypto'
import { z } from 'zod'
import {
  ignore,
  ignoreKind,
  parseWebhookBody,
  readDeliveryId,
  readPayload,
  toComment,
  toPush,
} from '../webhooks/parse-webhook-body.ts'
import type { WebhookEvent, WebhookReader } from '../webhooks/webhook-event.ts'
import { isHexSignature } from '../webhooks/webhook-signature.ts'

const repository = z.object({
  full_name: z.string().min(1).max(500),
  html_url: z.string().max(2_000).nullish(),
  default_branch: z.string().nullish(),
})
const pullNumber = z.number().int().positive()
const user = z.object({ login: z.string().max(200) })
const text = z.string().max(1_100_000)

const push = z.object({ ref: z.string().max(1_000), after: z.string().max(100).nullish(), repository })
const pullRequest = z.object({ number: pullNumber, repository })
const comment = z.object({
  action: z.string(),
  repository,
  is_pull: z.boolean().nullish(),
  issue: z.object({ number: pullNumber, pull_request: z.object({}).nullish() }).nullish(),
  pull_request: z.object({ number: pullNumber }).nullish(),
  comment: z.object({ id: z.number(), body: text.nullish(), user: user.nullish() }),
})
const review = z.object({
  repository,
  pull_request: z.object({ number: pullNumber }),
  review: z.object({ content: text.nullish() }),
  sender: user,
})

/**
 * Gitea and Forgejo, which send the same payloads under different header names.
 *
 * @see https://docs.gitea.com/usage/webhooks and https://forgejo.org/docs/latest/user/webhooks
 */
export const giteaWebhook: WebhookReader = {
  carriesSignature: (headers) => /^[0-9a-f]{64}$/i.test(readHeader(headers, 'signature') ?? ''),
  isSigned: ({ headers, body }, secret) => isHexSignature(body, secret, readHeader(headers, 'signature') ?? ''),
  readDelivery({ headers, body }) {
    const payload = parseWebhookBody(body)
    const deliveryId = readDeliveryId(readHeader(headers, 'delivery'), () => hash('sha256', body))
    return { deliveryId, event: readEvent(readHeader(headers, 'event') ?? '', payload, body) }
  },
}

function readHeader(headers: Headers, name: string): string | null {
  return headers.get(`x-forgejo-${name}`) ?? headers.get(`x-gitea-${name}`)
}

function readEvent(name: string, payload: unknown, body: Uint8Array): WebhookEvent {
  switch (name) {
    case 'push':
      return readPayload(push, payload, ({ ref, after, repository: of }) => {
        const isDeleted = after != null && /^0+$/.test(after)
        return toPush({ repository: toRepository(of), ref, isDeleted, defaultBranch: of.default_branch })
      })
    case 'issue_comment':
    case 'pull_request_comment':
      return readPayload(comment, payload, readComment)
    case 'pull_request_review_approved':
    case 'pull_request_review_rejected':
    case 'pull_request_review_comment':
    case 'pull_request_approved':
    case 'pull_request_rejected':
      return readPayload(review, payload, (given) => readReview(given, body))
    default:
      if (/^pull_request(?:_|$)/.test(name)) {
        return readPayload(pullRequest, payload, ({ number, repository: of }) => ({
          type: 'pull-request-changed',
          repository: toRepository(of),
          number,
        }))
      }
      return ignoreKind(name)
  }
}

function toRepository({ full_name, html_url }: z.output<typeof repository>) {
  return { path: full_name, url: html_url ?? null }
}

function readComment({ action, repository: of, ...given }: z.output<typeof comment>): WebhookEvent {
  if (action !== 'created') return ignore('Only new comments are read.')
  const isOnPull = given.is_pull === true || given.pull_request != null || given.issue?.pull_request != null
  const number = given.pull_request?.number ?? given.issue?.number
  if (!isOnPull || number === undefined) return ignore('The comment is not on a pull request.')
  const { id, body, user: author } = given.comment
  return toComment(
    { repository: toRepository(of), number, commentId: `comment:${id}` },
    { author: author?.login, body },
  )
}

/** Reviews have no id in the payload, so the hash of the payload identifies them. */
function readReview(
  { repository: of, pull_request, review: given, sender }: z.output<typeof review>,
  body: Uint8Array,
) {
  const place = {
    repository: toRepository(of),
    number: pull_request.number,
    commentId: `review:${hash('sha256', body)}`,
  }
  return toComment(place, { author: sender.login, body: given.content })
}
