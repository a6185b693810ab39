/** The growing text of one answer, for any number of readers at different positions. */
export class StreamLog {
  /** Append-only. */
  readonly chunks: string[] = []
  #chars = 0
  #isEnded = false
  #change: PromiseWithResolvers<void> | null = null

  /** Nothing more will be appended. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  get chars(): number {
    return this.#chars
  }

  append(text: string): void {
    if (text === '' || this.#isEnded) return
    this.chunks.push(text)
    this.#chars += text.length
    this.#notify()
  }

  end(): void {
    this.#isEnded = true
    this.#notify()
  }

  /**
   * Resolves at the next append or at the end. Must be awaited in the same turn in which the reader found nothing new.
   */
  changed(): Promise<void> {
    this.#change ??= Promise.withResolvers<void>()
    return this.#change.promise
  }

  #notify(): void {
    this.#change?.resolve()
    this.#change = null
  }
}
