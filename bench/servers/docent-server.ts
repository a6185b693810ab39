import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoFolder } from '../../src/app/demo-folder.ts'
import { runServer } from '../../src/app/run-server.ts'
import { AnswerCitations } from '../../src/assistant/citations/answer-citations.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createInstantModel } from '../../test/support/instant-model.ts'
import { createScriptedModel } from '../../test/support/scripted-model.ts'
import { serveMeasurements } from './measured-server.ts'

// The whole product with its real durability, limits, search and log, on its own documentation; only the model is
// instant. With an address as the first argument, and a model after `#`, it is that provider's. With `offline` as the first
// argument the built-in model answers instead, with `hanging` one that never ends. A third argument is the role.

const [mode = '[]', key = '', role = 'all'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'))
const [upstream, upstreamModel] = mode.startsWith('http') ? mode.split('#') : []
const unlimited = '1000000000'
const settings = loadSettings({
  env: {
    PORT: '0',
    DOCENT_DATA: folder,
    DOCENT_ASSISTANT_KEY: key,
    DOCENT_LIMIT_KEY_PER_MONTH: unlimited,
    DOCENT_LIMIT_ORG_PER_HOUR: unlimited,
    DOCENT_LIMIT_IP_PER_DAY: unlimited,
    DOCENT_ANSWERS_AT_ONCE: '100000',
    DOCENT_SITE_TOKENS_PER_DAY: 'unlimited',
    DOCENT_SITE_COST_PER_DAY: 'unlimited',
    // To compare with what the provider's package takes.
    DOCENT_DIRECT_PIECES: process.env.DOCENT_DIRECT_PIECES ?? 'true',
    ...(upstream === undefined
      ? {}
      : {
          DOCENT_MODEL: `openai-compatible/${upstreamModel}`,
          DOCENT_MODEL_BASE_URL: upstream,
          DOCENT_MODEL_API_KEY: 'none',
        }),
    // To measure what measuring costs.
    ...(process.env.DOCENT_METRICS_PORT === undefined ? {} : { DOCENT_METRICS_PORT: '0' }),
    ...(process.env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? {}
      : { OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT }),
    ...(process.env.DATABASE_URL === undefined
      ? {}
      : { DATABASE_URL: process.env.DATABASE_URL, DOCENT_SECRET_KEY: 'x'.repeat(32) }),
  },
})
// To measure what citations cost.
if (process.env.BENCH_CITATIONS === 'off') AnswerCitations.prototype.judge = () => ({ events: [], numbers: [] })
const log = createLog('info', { write: () => {} })
const server = await runServer({
  settings,
  log,
  demoFolder,
  role: role === 'serve' ? 'serve' : 'all',
  ...chooseModel(),
})

function chooseModel() {
  if (mode === 'offline' || upstream !== undefined) return {}
  if (mode !== 'hanging') {
    const pieces = JSON.parse(mode) as string[] // Written by the benchmark.
    return { model: createInstantModel(pieces.join(''), pieces.length) }
  }
  const never = new Promise(() => {})
  return {
    model: createScriptedModel([
      [
        { type: 'text', text: 'It begins' },
        { type: 'wait', until: never },
      ],
    ]),
  }
}

serveMeasurements(Number(new URL(server.url).port))
process.on('exit', () => void rm(folder, { recursive: true, force: true }))
