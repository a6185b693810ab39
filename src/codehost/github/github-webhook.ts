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
import { isHexSignature, readSha256 } from '../webhooks/webhook-signature.ts'

const repository = z.object({
  full_name: z.string().min(1).max(500),
  html_url: z.string().max(2_000).nullish(),
  default_branch: z.string().nullish(),
})
const pullNumber = z.number().int().positive()
const user = z.object({ login: z.string().max(200), type: z.string().nullish() })
const text = z.string().max(300_000)

const push = z.object({ ref: z.string().max(1_000), deleted: z.boolean().nullish(), repository })
const pullRequest = z.object({ action: z.string(), number: pullNumber, repository })
const issueComment = z.object({
  action: z.string(),
  repository,
  issue: z.object({ number: pullNumber, pull_request: z.object({}).nullish() }),
  comment: z.object({
    id: z.number(),
    body: text.nullish(),
    user: user.nullish(),
    performed_via_github_app: z.unknown().optional(),
  }),
})
const reviewComment = z.object({
  action: z.string(),
  repository,
  pull_request: z.object({ number: pullNumber }),
  comment: z.object({
    id: z.number(),
    body: text.nullish(),
    user: user.nullish(),
    path: z.string().max(4_000).nullish(),
    line: z.number().int().nullish(),
    performed_via_github_app: z.unknown().optional(),
  }),
})
const review = z.object({
  action: z.string(),
  repository,
  pull_request: z.object({ number: pullNumber }),
  review: z.object({ id: z.number(), body: text.nullish(), user: user.nullish() }),
})
const renamed = z.object({
  action: z.string(),
  repository,
  changes: z.object({ repository: z.object({ name: z.object({ from: z.string() }) }).nullish() }).nullish(),
})

/** @see https://docs.github.com/en/webhooks/webhook-events-and-payloads */
export const githubWebhook: WebhookReader = {
  carriesSignature: (headers) => readSha256(headers.get('x-hub-signature-256')) !== null,
  isSigned: ({ headers, body }, secret) =>
    isHexSignature(body, secret, readSha256(headers.get('x-hub-signature-256')) ?? ''),
  readDelivery({ headers, body }) {
    const payload = parseWebhookBody(body)
    const deliveryId = readDeliveryId(headers.get('x-github-delivery'), () => hash('sha256', body))
    return { deliveryId, event: readEvent(headers.get('x-github-event') ?? '', payload) }
  },
}

function readEvent(name: string, payload: unknown): WebhookEvent {
  switch (name) {
    case 'push':
      return readPayload(push, payload, ({ ref, deleted, repository: of }) => {
        const repository = toRepository(of)
        return toPush({ repository, ref, isDeleted: deleted === true, defaultBranch: of.default_branch })
      })
    case 'pull_request':
      return readPayload(pullRequest, payload, ({ number, repository: of }) => ({
        type: 'pull-request-changed',
        repository: toRepository(of),
        number,
      }))
    case 'issue_comment':
      return readPayload(issueComment, payload, readIssueComment)
    case 'pull_request_review_comment':
      return readPayload(reviewComment, payload, readReviewComment)
    case 'pull_request_review':
      return readPayload(review, payload, readReview)
    case 'repository':
      return readPayload(renamed, payload, toRenamed)
    default:
      return ignoreKind(name)
  }
}

function toRepository({ full_name, html_url }: z.output<typeof repository>) {
  return { path: full_name, url: html_url ?? null }
}

function readIssueComment({ action, repository: of, issue, comment }: z.output<typeof issueComment>): WebhookEvent {
  if (action !== 'created') return ignore('Only new comments are read.')
  if (issue.pull_request == null) return ignore('The comment is not on a pull request.')
  const place = { repository: toRepository(of), number: issue.number, commentId: `comment:${comment.id}` }
  return toComment(place, readText(comment))
}

function readReviewComment({ action, repository: of, ...rest }: z.output<typeof reviewComment>): WebhookEvent {
  if (action !== 'created') return ignore('Only new comments are read.')
  const { comment, pull_request } = rest
  const place = { path: comment.path ?? null, line: comment.line ?? null, commentId: `review-comment:${comment.id}` }
  return toComment({ repository: toRepository(of), number: pull_request.number, ...place }, readText(comment))
}

function readReview({ action, repository: of, pull_request, review: given }: z.output<typeof review>): WebhookEvent {
  if (action !== 'submitted') return ignore('Only new reviews are read.')
  const place = { repository: toRepository(of), number: pull_request.number, commentId: `review:${given.id}` }
  return toComment(place, readText(given))
}

type Written = { body?: string | null | undefined; user?: z.output<typeof user> | null | undefined }

/** A comment made by an App on behalf of a person counts as the App's. */
function readText({ body, user: author, ...rest }: Written & { performed_via_github_app?: unknown }) {
  return { author: author?.login, body, isBot: author?.type === 'Bot' || rest.performed_via_github_app != null }
}

function toRenamed({ action, repository: of, changes }: z.output<typeof renamed>): WebhookEvent {
  const before = changes?.repository?.name.from
  if (action !== 'renamed' || before === undefined)
    return ignore('Docent does not handle this change to the repository.')
  const owner = of.full_name.slice(0, of.full_name.lastIndexOf('/') + 1)
  return { type: 'repository-renamed', repository: toRepository(of), previousPath: `${owner}${before}` }
}
