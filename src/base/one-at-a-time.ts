/** Runs what has one name one after the other, in the order in which it came; different names do not wait. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>()

  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const running = before.then(work, work)
    this.#last.set(name, running)
    try {
      return await running
    } finally {
      if (this.#last.get(name) === running) this.#last.delete(name)
    }
  }
}
