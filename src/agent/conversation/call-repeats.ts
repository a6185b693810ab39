import { createHash } from 'node:crypto'
import type { JsonValue } from '../../contract/json.ts'
import type { ToolOutcome } from '../../models/loop/run-tool.ts'

/** How often the same call may return the same result. */
const nudgedAt = 3
export const stoppedAt = 6

/** Calls that are remembered. */
const callsMax = 40

/**
 * Notices a model that makes the same call again and again. A changed file or a changed result begins anew, so that a
 * check after each edit is not a repetition.
 */
export class CallRepeats {
  #calls: string[]
  #most = 0

  /** @param calls What `recent` was after the step before. */
  constructor(calls: readonly string[]) {
    this.#calls = [...calls]
  }

  /** Digests of the calls since the last change, oldest first. */
  get recent(): string[] {
    return this.#calls
  }

  /** Whether a call was repeated so often that the work should end. */
  get isStuck(): boolean {
    return this.#most >= stoppedAt
  }

  forget(): void {
    this.#calls = []
  }

  /** @returns A sentence for the model, or null. */
  note(call: { toolName: string; input: JsonValue }, outcome: ToolOutcome): string | null {
    const digest = hashCall(call, outcome)
    this.#calls = [...this.#calls, digest].slice(-callsMax)
    const count = this.#calls.filter((other) => other === digest).length
    this.#most = Math.max(this.#most, count)
    if (count < nudgedAt) return null
    return `You have made this call ${count} times, with the same result each time and no change in between. Do something else, or call finish with what is done; after ${stoppedAt} times the work ends.`
  }
}

function hashCall({ toolName, input }: { toolName: string; input: JsonValue }, outcome: ToolOutcome): string {
  // Models order arguments as they like.
  const given = Object.entries(input ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([toolName, given, outcome]))
    .digest('base64url')
    .slice(0, 16)
}
