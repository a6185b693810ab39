import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'
import { activeLogFields, activeSpan, activeTraceHeaders, runInSpan, runUnitOfWork } from './work-context.ts'

function collectLines() {
  const lines: string[] = []
  return { log: createLog('info', { write: (line) => lines.push(line) }), lines }
}

describe('runUnitOfWork', () => {
  it('gives its ids to every line that is logged meanwhile, by logs that were made before it', async () => {
    const { log, lines } = collectLines()
    const models = log.child({ part: 'models' })

    await runUnitOfWork(null, { name: 'request', fields: { requestId: 'req_1' } }, async () => {
      await Promise.resolve()
      models.warn({ model: 'm' }, 'model-retried')
    })
    models.warn({}, 'model-idle')

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: 'req_1', part: 'models', model: 'm' })
    expect(JSON.parse(lines[1] ?? '')).not.toHaveProperty('requestId')
  })

  it('says no id twice in one line', async () => {
    const { log, lines } = collectLines()
    const known = log.child({ requestId: 'req_1' })

    await runUnitOfWork(null, { name: 'request', fields: { requestId: 'req_1', runId: 'run_1' } }, async () => {
      known.info({ runId: 'run_1' }, 'run-ended')
    })

    expect(lines[0]?.match(/"requestId"/g)).toHaveLength(1)
    expect(lines[0]?.match(/"runId"/g)).toHaveLength(1)
  })

  it('keeps what runs at the same time apart', async () => {
    const seen = await Promise.all(
      ['a', 'b'].map((requestId) =>
        runUnitOfWork(null, { name: 'request', fields: { requestId } }, async () => {
          await Promise.resolve()
          return activeLogFields()
        }),
      ),
    )

    expect(seen).toEqual([{ requestId: 'a' }, { requestId: 'b' }])
    expect(activeLogFields()).toEqual({})
  })

  it('costs no span where no traces are collected', async () => {
    const seen = await runUnitOfWork(null, { name: 'request', fields: {} }, (span) =>
      runInSpan('part', {}, async (part) => [span, part, activeSpan(), activeTraceHeaders()]),
    )

    expect(seen).toEqual([null, null, null, {}])
  })
})
