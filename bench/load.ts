import { Agent, request } from 'node:http'

export interface LoadTarget {
  url: string
  headers: Record<string, string>
  /** The body of the request with this number, so that no cache answers for the service. */
  body: (index: number) => string
  /** What the first text of an answer is known by; that of a UI message stream unless given. */
  textSign?: string
}

export interface LoadResult {
  answersPerSecond: number
  /** Milliseconds from the request to the first text of the answer, sorted. */
  firstTextMs: number[]
  bytesPerAnswer: number
}

/** Asks `count` times with `concurrency` connections that are kept open, and reads every answer to its end. */
export async function applyLoad(target: LoadTarget, count: number, concurrency: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const firstTextMs: number[] = []
  let bytes = 0
  let left = count
  const work = async () => {
    while (left-- > 0) {
      const answer = await ask(target, agent, left)
      firstTextMs.push(answer.firstTextMs)
      bytes += answer.bytes
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, work))
  const seconds = (performance.now() - startedAt) / 1_000
  agent.destroy()
  return {
    answersPerSecond: count / seconds,
    firstTextMs: firstTextMs.toSorted((a, b) => a - b),
    bytesPerAnswer: bytes / count,
  }
}

function ask(
  { url, headers, body: makeBody, textSign = 'text-delta' }: LoadTarget,
  agent: Agent,
  index: number,
): Promise<{ firstTextMs: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const body = makeBody(index)
    const startedAt = performance.now()
    let firstTextMs = Number.NaN
    let bytes = 0
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (Number.isNaN(firstTextMs) && chunk.includes(textSign)) firstTextMs = performance.now() - startedAt
        })
        response.on('end', () => {
          if (response.statusCode === 200) resolve({ firstTextMs, bytes })
          else reject(new Error(`The server answered ${response.statusCode}.`))
        })
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** @param sorted Ascending. @param share 0 to 1. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}
