import { describe, expect, it } from 'vitest'
import { AppError } from '../../contract/app-error.ts'
import { createLog } from '../../telemetry/log.ts'
import { ForgeError } from './forge-error.ts'
import { createForgeFetch, type ForgeRequestRules } from './forge-request.ts'

const now = Date.parse('2026-03-01T00:00:00Z')

type Reply = Response | Error | 'hang'

/** A forge with scripted replies, the last of which it repeats forever. */
function setup(replies: readonly Reply[], rules: Partial<ForgeRequestRules> = {}) {
  const waits: number[] = []
  const asked: { url: string; method: string; body: unknown }[] = []
  const answer: typeof fetch = async (target, init) => {
    const reply = replies[Math.min(asked.length, replies.length - 1)] ?? new Response('')
    asked.push({
      url: target instanceof Request ? target.url : new URL(target).href,
      method: init?.method ?? 'GET',
      body: init?.body,
    })
    if (reply === 'hang') return waitForEver(init?.signal ?? null)
    if (reply instanceof Error) throw reply
    return reply === replies.at(-1) ? reply.clone() : reply
  }
  const fetchForge = createForgeFetch(
    {
      clock: { now: () => now },
      log: createLog('silent'),
      sleep: async (ms) => void waits.push(ms),
      random: () => 0,
      fetch: answer,
    },
    { forge: 'The forge', ...rules },
  )
  return { fetchForge, waits, asked }
}

function waitForEver(signal: AbortSignal | null): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

const answer = (status: number, headers: Record<string, string> = {}, body = 'text') =>
  new Response(body, { status, headers })

const url = 'https://forge.example/api/things'

async function fail(promise: Promise<unknown>): Promise<ForgeError> {
  const error: unknown = await promise.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ForgeError)
  return error as ForgeError
}

describe('a transient failure', () => {
  it('is retried with growing pauses until it works', async () => {
    const { fetchForge, waits, asked } = setup([answer(500), new TypeError('socket'), answer(502), answer(201)])

    const response = await fetchForge(url, { method: 'POST', body: '{"a":1}' })

    expect([response.status, await response.text()]).toEqual([201, 'text'])
    expect(waits).toEqual([250, 500, 1_000])
    expect(asked.map(({ method, body }) => [method, body])).toEqual(
      Array.from({ length: 4 }, () => ['POST', '{"a":1}']),
    )
  })

  it('is given up after five attempts, with an explanation', async () => {
    const { fetchForge, asked } = setup([answer(503)])

    const error = await fail(fetchForge(url))

    expect(error).toMatchObject({ reason: 'unavailable', isPassing: true, code: 'code_host_unavailable' })
    expect(error.message).toMatch(/^The forge failed with status 503\. Try again later/)
    expect(asked).toHaveLength(5)
  })

  it('is not retried if the request may have been carried out and must not be repeated', async () => {
    const { fetchForge, asked } = setup([answer(502)], { isRepeatable: (method) => method !== 'POST' })

    expect(await fail(fetchForge(url, { method: 'POST' }))).toMatchObject({ reason: 'unavailable' })
    expect(asked).toHaveLength(1)
  })

  it('includes a forge that does not answer in time', async () => {
    const { fetchForge, asked } = setup(['hang', 'hang', answer(200)], { timeoutMs: 20 })

    const response = await fetchForge(url)

    expect([response.status, asked.length]).toEqual([200, 3])
  })

  it('includes a truncated response', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.enqueue(Buffer.from('{"ha'))
        controller.error(new Error('socket'))
      },
    })
    const { fetchForge, asked } = setup([new Response(broken), answer(200)])

    expect(await (await fetchForge(url)).text()).toBe('text')
    expect(asked).toHaveLength(2)
  })

  it('ends at once when the caller gives up', async () => {
    const { fetchForge } = setup(['hang'])
    const reason = new Error('The job was cancelled.')

    await expect(fetchForge(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('a limit of requests', () => {
  const limits: [string, Response, number][] = [
    ['429 with a number of seconds', answer(429, { 'retry-after': '7' }), 7_000],
    ['429 with a date', answer(429, { 'retry-after': 'Sun, 01 Mar 2026 00:00:30 GMT' }), 30_000],
    ['403 with Retry-After', answer(403, { 'retry-after': '3' }), 3_000],
    [
      '403 with nothing remaining',
      answer(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 20) }),
      20_000,
    ],
    ['403 by its words', answer(403, {}, '{"message":"You have exceeded a secondary rate limit."}'), 60_000],
    ['429 with nothing', answer(429), 60_000],
  ]

  it.each(limits)('is waited for: %s', async (_name, limit, waitMs) => {
    const { fetchForge, waits } = setup([limit, answer(200)])

    expect((await fetchForge(url, { method: 'POST' })).status).toBe(200)
    expect(waits).toEqual([waitMs])
  })

  it('of more than a minute is reported instead of waited for', async () => {
    const { fetchForge, waits } = setup([answer(429, { 'retry-after': '1800' })])

    const error = await fail(fetchForge(url))

    expect(error).toMatchObject({ reason: 'rate-limited', retryAfterMs: 1_800_000, headers: { 'Retry-After': '1800' } })
    expect(error.message).toBe('The forge is limiting requests. Try again in 30 minutes.')
    expect(waits).toEqual([])
  })

  it('is waited for no longer than two minutes in all', async () => {
    const { fetchForge, waits } = setup([answer(429, { 'retry-after': '50' })])

    expect(await fail(fetchForge(url))).toMatchObject({ reason: 'rate-limited' })
    expect(waits).toEqual([50_000, 50_000])
  })

  it('is not mistaken for a missing permission', async () => {
    const { fetchForge, waits } = setup([answer(403, { 'x-ratelimit-remaining': '4999' })])

    expect((await fetchForge(url)).status).toBe(403)
    expect(waits).toEqual([])
  })
})

describe('a redirect', () => {
  it('within the origin is followed with the same method and body, and reported', async () => {
    const moved: string[] = []
    const { fetchForge, asked } = setup([answer(301, { location: '/api/repositories/5/things' }), answer(200)], {
      onMoved: ({ href }) => moved.push(href),
    })

    const response = await fetchForge(url, { method: 'PATCH', body: 'x' })

    expect(response.status).toBe(200)
    expect(asked[1]).toEqual({ url: 'https://forge.example/api/repositories/5/things', method: 'PATCH', body: 'x' })
    expect(moved).toEqual(['https://forge.example/api/repositories/5/things'])
  })

  it.each(['https://elsewhere.example/', 'http://forge.example/api', 'https://forge.example:8443/', 'http://[', ''])(
    'to %j is refused',
    async (location) => {
      const { fetchForge, asked } = setup([answer(307, { location })])

      expect(await fail(fetchForge(url))).toMatchObject({ reason: 'invalid', code: 'code_host_refused' })
      expect(asked.length).toBeLessThanOrEqual(4)
    },
  )

  it('that never ends is given up', async () => {
    const { fetchForge, asked } = setup([answer(302, { location: url })])

    expect(await fail(fetchForge(url))).toMatchObject({ reason: 'invalid' })
    expect(asked).toHaveLength(4)
  })
})

it('immediately passes on addresses refused by the settings', async () => {
  const refusal = new AppError('invalid_request', 'The host lies in a private network.')
  const { fetchForge, asked } = setup([refusal])

  await expect(fetchForge(url)).rejects.toBe(refusal)
  expect(asked).toHaveLength(1)
})
