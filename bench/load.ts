import { Agent, request } from 'node:http'

export interface LoadTarget {
  url: string
  headers: Record<string, string>
  /** The body of the request with this number, so that no cache answers for the service. */
  body: (index: number) => string
  /** What the first text of an answer is known by; that of a UI message stream unless given. */
  textSign?: string
  /** Part of the last bytes of every answer, so that no other model is measured in place of the intended one. */
  endSign?: string
}

export interface LoadResult {
  answersPerSecond: number
  /** Milliseconds from the request to the first text of the answer, sorted. */
  firstTextMs: number[]
  /** Milliseconds between two arrivals of text, sorted. */
  pausesMs: number[]
  bytesPerAnswer: number
}

/** Asks `count` times with `concurrency` connections that are kept open, and reads every answer to its end. */
export async function applyLoad(target: LoadTarget, count: number, concurrency: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  const answers: Answer[] = []
  let left = count
  const work = async () => {
    while (left-- > 0) answers.push(await ask(target, agent, left))
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: concurrency }, work))
  return summarize(answers, agent, startedAt)
}

/** Asks `count` times, `everyMs` apart, as readers do: without waiting for the answers before. */
export async function applySteadyLoad(target: LoadTarget, count: number, everyMs: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true })
  const startedAt = performance.now()
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * everyMs))
      return ask(target, agent, index)
    }),
  )
  return summarize(answers, agent, startedAt)
}

function summarize(answers: readonly Answer[], agent: Agent, startedAt: number): LoadResult {
  const seconds = (performance.now() - startedAt) / 1_000
  agent.destroy()
  return {
    answersPerSecond: answers.length / seconds,
    firstTextMs: answers.map(({ firstTextMs }) => firstTextMs).toSorted((a, b) => a - b),
    pausesMs: answers.flatMap(({ pausesMs }) => pausesMs).toSorted((a, b) => a - b),
    bytesPerAnswer: answers.reduce((sum, { bytes }) => sum + bytes, 0) / answers.length,
  }
}

/** Found in no passage of a search that says `text-delta`: quotation marks are escaped there. */
const frameOfText = '"type":"text-delta"'

/** Enough to hold the last frames of an answer, with what they say of its model. */
const endBytes = 2_000

interface Answer {
  firstTextMs: number
  pausesMs: number[]
  bytes: number
}

function ask(
  { url, headers, body: makeBody, textSign = frameOfText, endSign = '' }: LoadTarget,
  agent: Agent,
  index: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = makeBody(index)
    const startedAt = performance.now()
    let firstTextMs = Number.NaN
    let lastTextMs = Number.NaN
    const pausesMs: number[] = []
    let bytes = 0
    let end = ''
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          end =
            chunk.length < endBytes
              ? `${end}${chunk.toString()}`.slice(-endBytes)
              : chunk.toString('utf8', chunk.length - endBytes)
          if (!chunk.includes(textSign)) return
          const nowMs = performance.now() - startedAt
          if (Number.isNaN(firstTextMs)) firstTextMs = nowMs
          else pausesMs.push(nowMs - lastTextMs)
          lastTextMs = nowMs
        })
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`The server answered ${response.statusCode}.`))
          else if (!end.includes(endSign)) reject(new Error(`The answer ended without ${endSign}: ${end}`))
          else resolve({ firstTextMs, pausesMs, bytes })
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
