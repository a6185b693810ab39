/** The repository that an event is of, as the payload names it: good for finding what to look at, and for nothing else. */
export interface WebhookRepository {
  /** The end of its address for people: `acme/docs`, with all groups. */
  path: string
  /** Where people find it; null where the payload does not say. */
  url: string | null
}

/** A comment on a pull request, or the text of a review. */
export interface CommentAdded {
  type: 'comment-added'
  repository: WebhookRepository
  /** Of the pull request, as people write it. */
  number: number
  /** Unlike that of every other comment of the repository. */
  commentId: string
  /** As the host names the user. */
  author: string
  /** Whether the payload shows that a program wrote it. */
  isBot: boolean
  /** Markdown. */
  body: string
  /** What a comment in the diff is about; null for all others. */
  path: string | null
  line: number | null
}

/**
 * What hosts of repositories tell, in one language. Everything but the text of a comment says only where to look:
 * what is true is asked of the host.
 */
export type WebhookEvent =
  | {
      type: 'push'
      repository: WebhookRepository
      /** Of a branch or a tag, without `refs/heads/` and `refs/tags/`. */
      ref: string
      /** What else one push moved, where the host tells of all at once. */
      otherRefs?: readonly string[]
      /** Whether the branch that the host names as default is among them; also true where the host does not say. */
      isDefaultBranch: boolean
    }
  | { type: 'pull-request-changed'; repository: WebhookRepository; number: number }
  | CommentAdded
  | { type: 'repository-renamed'; repository: WebhookRepository; previousPath: string }
  /** @see `reason`, a sentence. */
  | { type: 'ignored'; reason: string }

/** A delivery whose signature was right. */
export interface WebhookDelivery {
  /** The same when the host sends it again. At most 200 characters. */
  deliveryId: string
  event: WebhookEvent
}

export interface SignedWebhook {
  headers: Headers
  /** As it came: a body that is parsed and written again has another signature. */
  body: Uint8Array
}

/** How the webhooks of one kind of host are read. */
export interface WebhookReader {
  /** Whether there is anything to check. What fails here is refused before its body is read. */
  carriesSignature(headers: Headers): boolean
  /** @param secret Never empty. @param nowMs UTC milliseconds, for hosts whose signatures carry a time. */
  isSigned(webhook: SignedWebhook, secret: string, nowMs: number): boolean
  /** @throws {AppError} `invalid_json` for a body that is none. Whatever is not understood becomes `ignored`. */
  readDelivery(webhook: SignedWebhook): WebhookDelivery
}
