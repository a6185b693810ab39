/** Opens the gate for the next writer. Idempotent. */
export type Release = () => void

interface Waiter {
  isTransaction: boolean
  acquire(): void
  refuse(error: Error): void
}

/**
 * Admits one transaction at a time, and single statements only between transactions, in order of arrival.
 *
 * Needed because both write connections live in one thread: a write that meets the lock of an open transaction would
 * block the thread, and with it the end of that very transaction.
 */
export class WriteGate {
  readonly #waitMsMax: number
  readonly #waiting: Waiter[] = []
  #isHeld = false

  /** @param waitMsMax How long a writer waits before it is refused, which exposes writers that wait for themselves. */
  constructor(waitMsMax: number) {
    this.#waitMsMax = waitMsMax
  }

  get #isOpen(): boolean {
    return !this.#isHeld && this.#waiting.length === 0
  }

  /**
   * Calls `send` as soon as a single statement may be sent, in the same turn in which the gate is found open: a turn
   * later, a transaction might have begun that the statement would then join.
   */
  passStatement<Result>(send: () => Promise<Result>): Promise<Result> {
    if (this.#isOpen) return send()
    return new Promise((resolve, reject) => this.#wait(false, () => resolve(send()), reject))
  }

  /** Resolves when a transaction may begin. It holds the gate until released. */
  async enterTransaction(): Promise<Release> {
    if (this.#isOpen) this.#isHeld = true
    else await new Promise<void>((resolve, reject) => this.#wait(true, resolve, reject))
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#isHeld = false
      this.#admit()
    }
  }

  /** Refuses all waiting writers; the current holder keeps the gate. */
  refuseAll(error: Error): void {
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(error)
  }

  #wait(isTransaction: boolean, acquire: () => void, refuse: (error: Error) => void): void {
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
      refuse(waitedTooLong(this.#waitMsMax))
    }, this.#waitMsMax)
    const waiter: Waiter = {
      isTransaction,
      acquire: () => {
        clearTimeout(timer)
        acquire()
      },
      refuse: (error) => {
        clearTimeout(timer)
        refuse(error)
      },
    }
    this.#waiting.push(waiter)
  }

  #admit(): void {
    while (!this.#isHeld) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#isHeld = next.isTransaction
      next.acquire()
    }
  }
}

function waitedTooLong(waitMsMax: number): Error {
  return new Error(
    `A write waited ${waitMsMax / 1_000} s for a transaction to end. Inside a transaction, use only that transaction and keep it free of slow work.`,
  )
}
