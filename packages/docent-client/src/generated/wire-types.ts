// What crosses the wire, made from the schemas of the service: npm run generate

export type QuestionFields = {
  /** `anonymous` or an identifier of the user. 1 to 256 characters. */
  fp: string
  /** Maximum number of passages per search. Default: 5, maximum: 50. */
  retrievalPageSize?: number | null | undefined
  filter?: {
    /** Only pages of this version. */
    version?: string | null | undefined
    /** Only pages of this language. */
    language?: string | null | undefined
    /** Only pages with this tag. */
    tag?: string | null | undefined
    /** Only pages that require no group or one of these. Narrows what the reader may see, never widens it. */
    groups?: Array<string> | null | undefined
  } | null | undefined
  /** What the reader has selected on the page: the first 20 entries and the first 8,000 characters of each are used. */
  context?: Array<{
    type: 'code' | 'textSelection'
    /** The text that the reader selected. */
    value: string
    /** The page it was selected on. */
    path?: string | null | undefined
    elementId?: string | null | undefined
  }> | null | undefined
  /** The page that the reader is viewing, which ranks slightly higher. At most 200 characters. */
  currentPath?: string | null | undefined
  /** Links in the text of the answer. Default: `relative` if the request's `Origin` is that of the site, else `absolute`. */
  links?: 'relative' | 'absolute' | null | undefined
  /** Version 2: stream parts that the client knows besides those of every release: `reset-step` (AI SDK 7.0.70 and later) takes back the text of the current step, so that another model can answer where one failed. Others are ignored. */
  accept?: Array<string> | null | undefined
  /** `ai-sdk` if an AI SDK 5, 6 or 7 sends the request: the answer then contains only what every release accepts. Needed only where the body has no `trigger` and messages of your own. */
  client?: string | null | undefined
}

export type FeedbackCreate = {
  /** The `messageId` of the `start` event of the answer. */
  messageId: string
  helpful: boolean
  /** `fp` of the reader, as in the question. Default: `anonymous`. Each reader has one feedback per answer. */
  fp?: string | null | undefined
  /** A word of your choice, such as `incorrect` or `outdated`. */
  reason?: string | null | undefined
  /** What the reader wrote. */
  note?: string | null | undefined
}

export type ReaderSessionRequest = {
  /** The `challenge` of the puzzle, unchanged. */
  challenge?: string | null | undefined
  /** The SHA-256 of `challenge`, a colon and this begins with `bits` zero bits. */
  nonce?: string | null | undefined
}

export type AnswerMetadata = {
  /** Send it with the next question to continue the thread. */
  threadId: string
  /** The model that answered, as `provider/model`. */
  model?: string | null | undefined
  /** Why a model other than the configured one answered. */
  modelReason?: 'daily-cost-reached' | 'answer-cost-reached' | undefined
  /** False if the documentation does not answer the question. */
  answered?: boolean | undefined
  /** How well the documentation supports the answer. */
  verdict?: 'supported' | 'partial' | 'nearest-page' | 'conflicting' | 'unsupported' | 'unanswered' | undefined
  verdictReasons?: Array<string> | undefined
  /** `length` and `content-filter` mean that the answer was cut off. */
  finishReason?: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other' | undefined
  /** Tokens of all model calls of the answer. */
  usage?: {
    inputTokens: number
    outputTokens: number
  } | undefined
  /** Sections that the answer cites, by number. */
  citations?: Array<{
    number: string
    url: string
    title: string
  }> | undefined
  /** Commit that the site was built from; null if it was not built from a repository. */
  commit?: string | null | undefined
  /** Version of the documentation that the answer is based on. */
  version?: string | null | undefined
}

export type DataParts = {
  'docent-citation': Citation
  thread: {
    threadId: string
  }
  suggestions: {
    items: Array<{
      title: string
      path: string
      url: string
    }>
  }
}

export type FeedbackReply = {
  messageId: string
  helpful: boolean
  reason: string | null
  note: string | null
  createdAt: string
  updatedAt: string
}

export type ReaderSession = {
  /** Send it in `X-Docent-Session`; null until the puzzle is solved. */
  session: string | null
  /** When the session or the puzzle expires. */
  expiresAt: string
  puzzle: {
    algorithm: 'sha-256'
    challenge: string
    /** Required number of leading zero bits. Each doubles the work. */
    bits: number
  } | null
}

export type Citation = {
  /** Counts cited sections from 1, in order of first use. Digits. */
  number: string
  /** `sourceId` of the `source-url` parts of the section. */
  sourceIds: Array<string>
  /** Absolute, with anchor and text fragment. */
  url: string
  title: string
  /** Headings above the quote, joined by ` › `. */
  description: string
  /** From the page, word for word, at most 300 characters. */
  quote: string
  /** The sentence: offsets in UTF-16 code units into the joined text of the text part `textId`, end exclusive. Of a stored answer and in version 1, whose texts have no ids, `textId` is `message`, and they count in the whole text of the answer. */
  answer: {
    textId: string
    start: number
    end: number
  }
  source: CitedSource
  verdict: 'pending' | 'held' | 'partial' | 'missing' | 'no-facts'
}

export type CitedSource = {
  /** Page on the site, as search returns it. */
  path: string
  /** Nearest heading above the quote; null before the first. */
  anchor: string | null
  headings: Array<string>
  /** Commit of the repository, or digest of the uploaded files. */
  revision: string
  /** Null if the site was not built from a repository. */
  commit: string | null
  /** Path in the repository; null if the quote is not found in its file word for word. */
  file: string | null
  /** First and last line of the quote in `file`, from 1, inclusive. Null exactly if `file` is. */
  lines: [number, number] | null
  /** SHA-256 in hex of the bytes of those lines, including the last line break. */
  sha256: string | null
  version: string | null
  language: string | null
}
