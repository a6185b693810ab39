/** The repository named by a payload. Use it only to find what to check. */
export interface WebhookRepository {
  /** Path of its web address: `acme/docs`, including all groups. */
  path: string
  /** Web address; null if the payload has none. */
  url: string | null
}

/** A comment on a pull request, or the text of a review. */
export interface CommentAdded {
  type: 'comment-added'
  repository: WebhookRepository
  /** The pull request's visible number. */
  number: number
  /** Unique within the repository. */
  commentId: string
  /** The host's name for the user. */
  author: string
  /** Whether the payload marks the author as a bot. */
  isBot: boolean
  /** Markdown. */
  body: string
  /** Subject of a comment on the diff; null for all others. */
  path: string | null
  line: number | null
}

/**
 * Events of all kinds of hosts, normalized. Except for the text of a comment, an event only says where to look; the
 * facts are read from the host.
 */
export type WebhookEvent =
  | {
      type: 'push'
      repository: WebhookRepository
      /** Branch or tag, without `refs/heads/` or `refs/tags/`. */
      ref: string
      /** Other refs moved by the same push, if the host reports them together. */
      otherRefs?: readonly string[]
      /** Whether the refs include the host's default branch; also true if the host does not say. */
      isDefaultBranch: boolean
    }
  | { type: 'pull-request-changed'; repository: WebhookRepository; number: number }
  | CommentAdded
  | { type: 'repository-renamed'; repository: WebhookRepository; previousPath: string }
  /** `reason` is a sentence. */
  | { type: 'ignored'; reason: string }

/** A delivery with a valid signature. */
export interface WebhookDelivery {
  /** Stays the same when the host redelivers. At most 200 characters. */
  deliveryId: string
  event: WebhookEvent
}

export interface SignedWebhook {
  headers: Headers
  /** The unmodified body; reserializing it would break the signature. */
  body: Uint8Array
}

/** Reads the webhooks of one kind of host. */
export interface WebhookReader {
  /** Whether there is a signature to check. Requests without are rejected before their body is read. */
  carriesSignature(headers: Headers): boolean
  /** @param secret Never empty. @param nowMs UTC milliseconds, for hosts whose signatures include a time. */
  isSigned(webhook: SignedWebhook, secret: string, nowMs: number): boolean
  /** @throws {AppError} `invalid_json` for a malformed body. Anything not understood becomes `ignored`. */
  readDelivery(webhook: SignedWebhook): WebhookDelivery
}
