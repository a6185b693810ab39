import { describe, expect, it } from 'vitest'
import { PrometheusMetrics } from '../telemetry/prometheus-metrics.ts'
import { activeLogFields } from '../telemetry/work-context.ts'
import { type ClaimedWork, workOnClaim, type WorkOutcome } from './work-on-claim.ts'

function setup() {
  const metrics = new PrometheusMetrics({ onFailure: () => undefined })
  const claimed: ClaimedWork = { work: 'sync', fields: { runId: 'run_1' } }
  const deps = { clock: { now: () => 0 }, telemetry: { metrics, tracer: null } }
  const work = (run: () => Promise<WorkOutcome>, change: Partial<ClaimedWork> = {}) =>
    workOnClaim(deps, { ...claimed, ...change }, run)
  return { work, collect: () => metrics.collect() }
}

describe('workOnClaim', () => {
  it('reports what is held during the work, and how it ended', async () => {
    const { work, collect } = setup()
    let meanwhile = ''

    await work(async () => {
      meanwhile = await collect()
      return 'done'
    })

    expect(meanwhile).toContain('docent_leases_held{work="sync"} 1\n')
    const after = await collect()
    expect(after).toContain('docent_leases_held{work="sync"} 0\n')
    expect(after).toContain('docent_work_seconds_count{work="sync",outcome="done"} 1\n')
    expect(after).not.toMatch(/^docent_leases_(?:lost|taken_over)_total\{/m)
  })

  it('counts lost and taken-over claims', async () => {
    const { work, collect } = setup()

    await work(async () => 'lost', { isTakenOver: true })

    const text = await collect()
    expect(text).toContain('docent_leases_lost_total{work="sync"} 1\n')
    expect(text).toContain('docent_leases_taken_over_total{work="sync"} 1\n')
  })

  it('counts work that threw as failed, releases it, and rethrows', async () => {
    const { work, collect } = setup()
    const fault = new Error('no database')

    await expect(work(() => Promise.reject(fault))).rejects.toBe(fault)

    const text = await collect()
    expect(text).toContain('docent_work_seconds_count{work="sync",outcome="failed"} 1\n')
    expect(text).toContain('docent_leases_held{work="sync"} 0\n')
  })

  it('adds the ids of the work to every line logged during it', async () => {
    const { work } = setup()
    let fields = {}

    await work(async () => {
      fields = activeLogFields()
      return 'done'
    })

    expect(fields).toEqual({ runId: 'run_1' })
  })
})
