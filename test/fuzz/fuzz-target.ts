import fc from 'fast-check'

/** One place where input comes in from outside. */
export interface FuzzTarget {
  name: string
  /** Its part of all inputs; the parts of all targets together are 1. */
  share: number
  /** Sends so many inputs. Null when all were met well, else what the smallest was that was not. */
  run(inputs: number, seed: number): Promise<FuzzFault | null>
}

export interface FuzzFault {
  target: string
  /** The smallest input that was found, as text. */
  input: string
  /** What was wrong, in a sentence. */
  problem: string
  /** How many inputs had been sent before. */
  after: number
}

export interface FuzzTargetInput<T> {
  name: string
  share: number
  arbitrary: fc.Arbitrary<T>
  /** @throws {Error} whose message says what is wrong. */
  check(input: T): Promise<void>
  describe?(input: T): string
}

/** Smaller inputs are looked for no longer than this, because each try of a slow input takes long itself. */
const shrinkMs = 60_000

export function makeTarget<T>({ name, share, arbitrary, check, describe }: FuzzTargetInput<T>): FuzzTarget {
  return {
    name,
    share,
    async run(inputs, seed) {
      let failedAt = 0
      const property = fc.asyncProperty(arbitrary, async (input) => {
        if (failedAt > 0 && Date.now() - failedAt > shrinkMs) return
        try {
          await check(input)
        } catch (error) {
          if (failedAt === 0) failedAt = Date.now()
          throw error
        }
      })
      const result = await fc.check(property, { numRuns: inputs, seed, endOnFailure: false })
      if (!result.failed) return null
      const found = result.counterexample?.[0] as T
      return {
        target: name,
        input: (describe ?? ((input: T) => JSON.stringify(input)))(found),
        problem: result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance),
        after: result.numRuns,
      }
    },
  }
}
