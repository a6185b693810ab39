import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/telemetry/log.ts'
import { runJob } from '../support/agent-jobs.ts'
import { askDocent } from '../support/ask.ts'
import { countTurns, type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts'
import { adminKey, assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/trace-collector.ts'

const question = 'Where is the paper roll of the tangerine printer?'
const answer = 'In the drawer of the tangerine printer.'
const prompt = 'Mention the tangerine printer.'

let collector: TraceCollector
let provider: ScriptedProvider
let docent: Docent
let lines: Record<string, unknown>[]

async function start(env: Record<string, string> = {}): Promise<void> {
  docent = await startDocent({
    env: {
      DOCENT_MODEL: 'openai-compatible/scripted',
      DOCENT_MODEL_BASE_URL: provider.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collect',
      ...env,
    },
    log: createLog('info', { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) }),
  })
}

async function open(env?: Record<string, string>): Promise<void> {
  lines = []
  collector = await startTraceCollector()
  provider = await startScriptedProvider((request) => {
    const isJob = request.tools?.some((tool) => tool.function.name === 'finish') === true
    if (!isJob) return { text: answer }
    if (countTurns(request) === 0) {
      const content = '---\ntitle: Roll\n---\n\nHere.\n'
      return { calls: [{ tool: 'write', input: { path: 'roll.mdx', content, listed: true } }] }
    }
    return { calls: [{ tool: 'finish', input: { title: 'Add a page', summary: 'Readers asked for it.' } }] }
  })
  await start(env)
}

async function close(): Promise<void> {
  await docent.remove()
  await provider.close()
  await collector.close()
}

const findSpan = (name: string, within: Partial<CollectedSpan> = {}): CollectedSpan => {
  const found = collector.spans.find(
    (span) =>
      span.name === name && Object.entries(within).every(([key, value]) => span[key as keyof CollectedSpan] === value),
  )
  if (found === undefined)
    throw new Error(`No span ${name} among ${collector.spans.map((span) => span.name).join(', ')}.`)
  return found
}

const within = ({ traceId, spanId }: CollectedSpan) => ({ traceId, parentSpanId: spanId })

const toolTraceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const [traceId, callerId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

describe('traces of a question and a job', () => {
  let jobId: string

  beforeAll(async () => {
    await open()
    const body = { fp: 'anonymous', messages: [{ role: 'user', parts: [{ type: 'text', text: question }] }] }
    const headers = { traceparent: `00-${traceId}-${callerId}-01`, 'x-request-id': 'asked-once' }
    await (await docent.post('/discovery/v2/assistant/docs/message', body, headers)).text()
    jobId = (await runJob(docent, prompt)).id
    await callTool()
    // What has not been sent yet is sent before the process ends.
    await docent.stop()
  })

  afterAll(close)

  async function callTool(): Promise<void> {
    const traced = { traceparent: `00-${toolTraceId}-${callerId}-01` }
    const params = { name: 'search', arguments: { query: 'roll' }, _meta: traced }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    await (await docent.post('/sites/docs/mcp', body, { accept: 'application/json, text/event-stream' })).text()
  }

  it('of a tool called over MCP belong to the trace that the message names', () => {
    const call = findSpan('tools/call', { traceId: toolTraceId, parentSpanId: callerId })

    expect(() => findSpan('index search', within(call))).not.toThrow()
  })

  it('lead from the request over the search, the model and the statements to the record', () => {
    const request = findSpan('POST /discovery/v2/assistant/:domain/message', { traceId })
    expect(request).toMatchObject({ parentSpanId: callerId, kind: 2 })
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 200, 'docent.requestId': 'asked-once' })
    const answering = findSpan('answer question', within(request))
    expect(answering.attributes).toMatchObject({ 'docent.outcome': 'finished' })
    findSpan('index search', within(answering))
    expect(findSpan('chat scripted', within(answering)).attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'scripted',
      'gen_ai.response.model': 'openai-compatible/scripted',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
    })
    expect(findSpan('insert messages', { traceId }).attributes).toMatchObject({ 'db.operation.name': 'insert' })
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'docent' })
    expect(collector.authorizations[0]).toBe('Bearer collect')
  })

  it('go on at the provider of the model, by its traceparent', () => {
    const chat = findSpan('chat scripted', { traceId })
    const call = findSpan('POST', within(chat))

    expect(provider.headers[0]?.['traceparent']).toBe(`00-${traceId}-${call.spanId}-01`)
  })

  it('lead from the job over its round to the model and its tools', () => {
    const work = findSpan('work on job')
    expect(work).toMatchObject({ kind: 5, attributes: { 'docent.jobId': jobId, 'docent.outcome': 'done' } })
    const round = findSpan('work on round', within(work))
    findSpan('chat scripted', within(round))
    expect(findSpan('execute_tool write', within(round)).attributes).toMatchObject({ 'gen_ai.tool.name': 'write' })
    findSpan('insert job_steps', within(round))
    findSpan('deliver change', within(work))
    findSpan('fetch source', within(findSpan('work on sync')))
  })

  it('are named by the lines of the log, beside the request, the job and the run', () => {
    const ofRequest = lines.filter((line) => line['requestId'] === 'asked-once')
    expect(ofRequest.length).toBeGreaterThan(1)
    for (const line of ofRequest) expect(line['traceId']).toBe(traceId)
    const { traceId: jobTraceId } = findSpan('work on job')
    expect(lines.find(({ event }) => event === 'job-ended')).toMatchObject({ jobId, traceId: jobTraceId })
    const sync = findSpan('work on sync')
    const runId = sync.attributes['docent.runId']
    expect(lines.find((line) => line['runId'] === runId && line['event'] === 'site-synced')).toMatchObject({
      traceId: sync.traceId,
    })
  })

  it('hold nothing that a reader, a model or a page said, and no key', () => {
    const everything = collector.bodies.join('\n')

    expect(everything).toContain('chat scripted')
    for (const secret of ['tangerine', 'drawer', adminKey, assistantKey, '127.0.0.1:']) {
      expect(everything).not.toContain(secret)
    }
  })
})

describe('traces with content', () => {
  afterEach(close)

  it('hold questions and answers where the operator asks for it', async () => {
    await open({ DOCENT_TRACE_CONTENT: 'true' })

    await askDocent(docent, question)
    await docent.stop()

    const { attributes } = findSpan('chat scripted')
    expect(attributes['gen_ai.input.messages']).toContain(question)
    expect(attributes['gen_ai.output.messages']).toBe(answer)
  })
})
