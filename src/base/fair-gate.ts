/** Releases the slot. Idempotent. */
export type ReleaseSlot = () => void

export interface FairGateOptions {
  /** Slots. */
  runningMax: number
  /** Slots per subject, so that one subject cannot take all of them. Default: all. */
  runningPerSubjectMax?: number
  /** Longest queue, over all subjects. */
  waitingMax: number
  /** Longest wait in the queue. */
  waitMsMax: number
  /** Makes the error for callers that are turned away. */
  refuse: () => Error
}

interface Waiter {
  acquire: () => void
  refuse: (reason: unknown) => void
}

interface Subject {
  running: number
  waiting: Waiter[]
}

/**
 * Limits concurrency and shares the slots fairly: a free slot goes to the subject that holds the fewest, and within a
 * subject to the caller that has waited longest. A flood from one subject therefore delays only that subject.
 *
 * The queue is bounded. When it is full, a newcomer evicts the last caller of the subject with the longest queue, provided
 * its own is shorter; otherwise it is refused at once, because an answer that comes too late costs as much as a useful one.
 */
export class FairGate {
  readonly #options: FairGateOptions
  /** Subjects with running or waiting callers, least recently served first. */
  readonly #subjects = new Map<string, Subject>()
  #running = 0
  #waiting = 0

  constructor(options: FairGateOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * @param subject Owner of the work: a site, a repository.
   * @param signal Ends the wait.
   * @throws the error made by `refuse`, when the queue is full or the wait too long.
   */
  async run<Result>(subject: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(subject, signal)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** Like `run`, for work whose end is known elsewhere. @returns A function that releases the slot. */
  async acquire(name: string, signal?: AbortSignal): Promise<ReleaseSlot> {
    signal?.throwIfAborted()
    const subject = this.#subjects.get(name) ?? { running: 0, waiting: [] }
    this.#subjects.set(name, subject)
    if (this.#hasRoom && subject.waiting.length === 0 && this.#mayRun(subject)) this.#take(name, subject)
    else await this.#wait(name, subject, signal)
    return this.#createLeave(name, subject)
  }

  get #hasRoom(): boolean {
    return this.#running < this.#options.runningMax
  }

  #mayRun({ running }: Subject): boolean {
    return running < (this.#options.runningPerSubjectMax ?? this.#options.runningMax)
  }

  #take(name: string, subject: Subject): void {
    subject.running += 1
    this.#running += 1
    // Moves to the end, behind subjects with as many slots.
    this.#subjects.delete(name)
    this.#subjects.set(name, subject)
  }

  #createLeave(name: string, subject: Subject): ReleaseSlot {
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      subject.running -= 1
      this.#running -= 1
      this.#forgetIdle(name, subject)
      this.#admit()
    }
  }

  #wait(name: string, subject: Subject, signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting >= this.#options.waitingMax && !this.#displace(subject)) {
      this.#forgetIdle(name, subject)
      return Promise.reject(this.#options.refuse())
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        this.#waiting -= 1
      }
      const refuse = (reason: unknown) => {
        settle()
        subject.waiting.splice(subject.waiting.indexOf(waiter), 1)
        this.#forgetIdle(name, subject)
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the abort reason belongs to the owner of the signal
        reject(reason)
      }
      const waiter: Waiter = { acquire: () => (settle(), resolve()), refuse }
      const timer = setTimeout(() => refuse(this.#options.refuse()), this.#options.waitMsMax)
      const onAbort = () => refuse(signal?.reason)
      signal?.addEventListener('abort', onAbort, { once: true })
      subject.waiting.push(waiter)
      this.#waiting += 1
    })
  }

  /** Evicts a caller from a full queue. @returns False if no other subject has a longer queue. */
  #displace(newcomer: Subject): boolean {
    let longest = newcomer
    for (const subject of this.#subjects.values()) {
      if (subject.waiting.length > longest.waiting.length) longest = subject
    }
    if (longest.waiting.length <= newcomer.waiting.length + 1) return false
    longest.waiting.at(-1)?.refuse(this.#options.refuse())
    return true
  }

  #admit(): void {
    while (this.#waiting > 0 && this.#hasRoom) {
      const next = this.#chooseNext()
      if (next === null) return
      const [name, subject] = next
      const waiter = subject.waiting.shift()
      this.#take(name, subject)
      waiter?.acquire()
    }
  }

  #chooseNext(): [name: string, subject: Subject] | null {
    let next: [string, Subject] | null = null
    for (const [name, subject] of this.#subjects) {
      if (subject.waiting.length === 0 || !this.#mayRun(subject)) continue
      if (next === null || subject.running < next[1].running) next = [name, subject]
    }
    return next
  }

  #forgetIdle(name: string, { running, waiting }: Subject): void {
    if (running === 0 && waiting.length === 0) this.#subjects.delete(name)
  }
}
