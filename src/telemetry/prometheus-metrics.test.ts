import { describe, expect, it } from 'vitest'
import { PrometheusMetrics } from './prometheus-metrics.ts'

describe('PrometheusMetrics', () => {
  const create = () => {
    const failures: unknown[] = []
    return { metrics: new PrometheusMetrics({ onFailure: (error) => failures.push(error) }), failures }
  }

  it('counts beyond a thousand sets of labels under one, so that nothing fills the memory', async () => {
    const { metrics } = create()

    for (let index = 0; index < 1_500; index++) metrics.add('docent_http_errors_total', { code: `code-${index}` })

    const text = await metrics.collect()
    expect(text.match(/^docent_http_errors_total\{/gm)).toHaveLength(1_001)
    expect(text).toContain('docent_http_errors_total{code="other"} 500\n')
  })

  it('tells what was read at the time of collecting, and no more of what is gone', async () => {
    const { metrics } = create()
    let sites = ['a', 'b']
    metrics.onCollect(async () => sites.map((site) => ({ name: 'docent_site_pages', labels: { site }, value: 3 })))

    expect(await metrics.collect()).toContain('docent_site_pages{site="b"} 3\n')
    sites = ['a']

    const text = await metrics.collect()
    expect(text).toContain('docent_site_pages{site="a"} 3\n')
    expect(text).not.toContain('site="b"')
  })

  it('tells the rest where something cannot be read', async () => {
    const { metrics, failures } = create()
    const fault = new Error('no disk')
    metrics.onCollect(() => Promise.reject(fault))
    metrics.add('docent_limits_hit_total', { limit: 'key' })

    expect(await metrics.collect()).toContain('docent_limits_hit_total{limit="key"} 1\n')
    expect(failures).toEqual([fault])
  })

  it('moves gauges up and down', async () => {
    const { metrics } = create()

    metrics.change('docent_open_streams', { kind: 'answer' }, 1)
    metrics.change('docent_open_streams', { kind: 'answer' }, 1)
    metrics.change('docent_open_streams', { kind: 'answer' }, -1)

    expect(await metrics.collect()).toContain('docent_open_streams{kind="answer"} 1\n')
  })
})
