import { setTimeout as wait } from 'node:timers/promises'

const insistMsMax = 240_000
const pauseMs = 50

/** Tries again while servers are down, as careful clients do. @param work Null, or an error, until it is done. */
export async function insist<Result>(work: (attempt: number) => Promise<Result | null>): Promise<Result> {
  const endsAt = performance.now() + insistMsMax
  let last: unknown
  for (let attempt = 0; performance.now() < endsAt; attempt++) {
    const result = await work(attempt).catch((error: unknown) => {
      last = error
      return null
    })
    if (result !== null) return result
    await wait(pauseMs)
  }
  throw new Error('No server did it in time.', { cause: last })
}
