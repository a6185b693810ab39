import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTraceCollector, type TraceCollector } from '../../test/support/trace-collector.ts'
import { createOpenTelemetryTracer, type TraceSampler } from './open-telemetry-tracer.ts'
import type { Tracer } from './span.ts'

let collector: TraceCollector
let failures: unknown[]

beforeEach(async () => {
  failures = []
  collector = await startTraceCollector()
})

afterEach(() => collector.close())

function createTracer(sampler: TraceSampler, { ratio = 1, hasContent = false, url = collector.url } = {}): Tracer {
  return createOpenTelemetryTracer({
    url: `${url}/v1/traces`,
    headers: {},
    serviceName: 'docent',
    serviceVersion: '1.2.3',
    sampler,
    ratio,
    hasContent,
    onFailure: (error) => failures.push(error),
  })
}

const parentOf = (flags: '00' | '01') => ({
  traceparent: `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`,
})

async function countSent(sampler: TraceSampler, options: { ratio?: number; parent?: '00' | '01' }): Promise<number> {
  const tracer = createTracer(sampler, options)
  const parent = options.parent === undefined ? {} : { parent: parentOf(options.parent) }
  const span = tracer.startRoot('work', parent)
  span.startChild('part').end()
  span.end()
  await tracer.close()
  return collector.spans.length
}

describe('createOpenTelemetryTracer', () => {
  it.each<[TraceSampler, { ratio?: number; parent?: '00' | '01' }, number]>([
    ['always_on', { parent: '00' }, 2],
    ['always_off', { parent: '01' }, 0],
    ['traceidratio', { ratio: 1 }, 2],
    ['traceidratio', { ratio: 0 }, 0],
    ['parentbased_always_on', {}, 2],
    ['parentbased_always_on', { parent: '00' }, 0],
    ['parentbased_always_off', {}, 0],
    ['parentbased_always_off', { parent: '01' }, 2],
    ['parentbased_traceidratio', { ratio: 0, parent: '01' }, 2],
    ['parentbased_traceidratio', { ratio: 0 }, 0],
  ])('samples by %s with %o: %i spans', async (sampler, options, spans) => {
    expect(await countSent(sampler, options)).toBe(spans)
  })

  it('begins a trace of its own where what the caller sent is none', async () => {
    const tracer = createTracer('always_on')

    const span = tracer.startRoot('work', { parent: { traceparent: 'nonsense' } })
    span.end()
    await tracer.close()

    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(collector.spans[0]?.parentSpanId).toBeUndefined()
  })

  it('names the kind of an error and never its message', async () => {
    const tracer = createTracer('always_on')

    const span = tracer.startRoot('work')
    span.fail(new RangeError('a secret'))
    span.end()
    await tracer.close()

    expect(collector.spans[0]).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'RangeError' } })
    expect(collector.bodies.join()).not.toContain('a secret')
  })

  it('has no content where it is sampled out', () => {
    const tracer = createTracer('always_off', { hasContent: true })

    expect(tracer.startRoot('work').hasContent).toBe(false)
  })

  it('tells that a collector refuses what it is sent, and closes all the same', async () => {
    const tracer = createTracer('always_on', { url: `${collector.url}/elsewhere` })

    tracer.startRoot('work').end()
    await tracer.close()

    expect(failures).not.toEqual([])
  })
})
