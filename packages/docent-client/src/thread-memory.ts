/** Where thread keys are kept: `localStorage`, `sessionStorage` or an object of your own. */
export interface ThreadKeyStorage {
  getItem(name: string): string | null
  setItem(name: string, value: string): void
}

interface Thread {
  threadId: string | null
  threadKey: string | null
}

/**
 * Which thread each chat belongs to, and the key of each thread, which the service sends only with the first answer.
 * Without a storage, keys last as long as the page.
 */
export class ThreadMemory {
  readonly #threads = new Map<string, string>()
  readonly #keys = new Map<string, string>()
  readonly #storage: ThreadKeyStorage | null

  constructor(storage: ThreadKeyStorage | null) {
    this.#storage = storage
  }

  /** The thread of a chat: the one that its messages name, or else the one of its last answer. */
  find(chatId: string, messages: readonly { metadata?: unknown }[], usesLast: boolean): Thread {
    const named = messages.findLast(({ metadata }) => readThreadId(metadata) !== null)
    const threadId = readThreadId(named?.metadata) ?? (usesLast ? (this.#threads.get(chatId) ?? null) : null)
    return { threadId, threadKey: threadId === null ? null : this.#readKey(threadId) }
  }

  /** Remembers what an answer said of its thread. */
  note(chatId: string, headers: Headers): void {
    const id = headers.get('x-thread-id')
    if (id === null) return
    // Ids that fit a header are sent as they are, and may contain a percent sign.
    const threadId = attempt(() => decodeURIComponent(id)) ?? id
    this.#threads.set(chatId, threadId)
    const key = headers.get('x-thread-key')
    if (key !== null) this.#writeKey(threadId, key)
  }

  // Browsers may refuse storage or have none left; threads also continue without their key.
  #readKey(threadId: string): string | null {
    return this.#keys.get(threadId) ?? attempt(() => this.#storage?.getItem(storedName(threadId))) ?? null
  }

  #writeKey(threadId: string, key: string): void {
    this.#keys.set(threadId, key)
    attempt(() => this.#storage?.setItem(storedName(threadId), key))
  }
}

function storedName(threadId: string): string {
  return `docent-thread-key:${threadId}`
}

function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

function readThreadId(metadata: unknown): string | null {
  const id: unknown = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'threadId') : undefined
  return typeof id === 'string' ? id : null
}
