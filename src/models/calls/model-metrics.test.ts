import { describe, expect, it } from 'vitest'
import { createManualTime } from '../../../test/models/manual-time.ts'
import { createScriptedModel, type ScriptedAction } from '../../../test/support/scripted-model.ts'
import { PrometheusMetrics } from '../../telemetry/prometheus-metrics.ts'
import { readAll } from '../../../test/models/chat-model.conformance.ts'
import { billModel } from './billed-model.ts'
import { unlimitedAccount } from './model-account.ts'
import { createResilientModel } from './resilient-model.ts'

const refuse = (statusCode: number): ScriptedAction[] => [
  { type: 'refuse', error: Object.assign(new Error(`status ${statusCode}`), { statusCode }) },
]

describe('the metrics of models', () => {
  it('count attempts: failures by reason, retries, fallbacks, and the use of the one that answered', async () => {
    const time = createManualTime()
    time.skipWaits()
    const metrics = new PrometheusMetrics({ onFailure: () => undefined })
    const first = { ...createScriptedModel([refuse(503)]), modelId: 'first' }
    const second = {
      ...createScriptedModel([[{ type: 'text', text: 'Here.' }]]),
      modelId: 'second',
    }
    const deps = { ...time.deps, metrics, prices: { 'test/second': { input: 1_000_000, output: 1_000_000 } } }
    const model = createResilientModel(deps, {
      models: [billModel(deps, first).billTo(unlimitedAccount), billModel(deps, second).billTo(unlimitedAccount)],
      limits: { firstTokenMs: 60_000, silenceMs: 30_000, callMs: 100_000 },
      retriesMax: 1,
    })

    await readAll(model, { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }] })

    const [a, b] = [`${first.provider}/first`, `${second.provider}/second`]
    const text = await metrics.collect()
    expect(text).toContain(`docent_model_failures_total{model="${a}",reason="overloaded"} 2\n`)
    expect(text).toContain(`docent_model_retries_total{model="${a}"} 1\n`)
    expect(text).toContain(`docent_model_fallbacks_total{model="${a}"} 1\n`)
    expect(text).toContain(`docent_model_calls_total{model="${b}"} 1\n`)
    expect(text).not.toContain(`docent_model_calls_total{model="${a}"}`)
  })
})
