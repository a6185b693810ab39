import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { ProviderName } from '../../src/contract/model-providers.ts'
import { type ModelAccount, unlimitedAccount } from '../../src/models/calls/model-account.ts'
import { readAll } from './chat-model.conformance.ts'
import { createChatModel } from '../../src/models/model-registry.ts'
import { createManualTime } from './manual-time.ts'
import { protocolOf, readRecording } from './protocols.ts'
import { type RecordedServer, startRecordedServer } from './recorded-server.ts'

let server: RecordedServer
beforeAll(async () => {
  server = await startRecordedServer()
})
afterAll(() => server.close())

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }]

/** Calls a model with options and a bound of 2,000 tokens. */
async function call(
  provider: ProviderName,
  modelId: string,
  options: object,
  account: ModelAccount = unlimitedAccount,
) {
  const protocol = protocolOf(provider)
  server.replyWith(protocol.framing, { type: 'stream', events: readRecording(protocol, 'text') })
  const model = `${provider}/${modelId}`
  const env = {
    DOCENT_MODEL: model,
    DOCENT_MODEL_BASE_URL: server.url,
    DOCENT_MODEL_API_KEY: 'key-of-test',
    DOCENT_MODEL_OPTIONS: JSON.stringify({ [`${provider}/`]: { temperature: 1.5 }, [model]: options }),
  }
  const billed = await createChatModel(createManualTime().deps, loadSettings({ env }))
  const parts = await readAll(billed.billTo(account), { prompt, maxOutputTokens: 2_000 })
  const [start] = parts
  return { body: server.requests[0]?.body, warnings: start?.type === 'stream-start' ? start.warnings : null }
}

describe('effort', () => {
  it.each<[ProviderName, string, object]>([
    ['openai', 'gpt-5', { reasoning: { effort: 'low' }, max_output_tokens: 2_000 }],
    ['openai-chat', 'gpt-5', { reasoning_effort: 'low', max_completion_tokens: 2_000 }],
    ['azure', 'gpt-5', { reasoning: { effort: 'low' }, max_output_tokens: 2_000 }],
    ['anthropic', 'claude-sonnet-4-6', { output_config: { effort: 'low' }, max_tokens: 2_000 }],
    [
      'google',
      'gemini-3-pro',
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low' }, maxOutputTokens: 2_000 } },
    ],
    [
      'amazon-bedrock',
      'eu.anthropic.claude-sonnet-4-6',
      { inferenceConfig: { maxTokens: 2_000 }, additionalModelRequestFields: { output_config: { effort: 'low' } } },
    ],
    ['cohere', 'command-a-reasoning-08-2025', { thinking: { type: 'enabled' }, max_tokens: 2_000 }],
    ['openai-compatible', 'qwen3', { reasoning_effort: 'low', max_tokens: 2_000 }],
  ])('of %s reaches %s within the output bound', async (provider, model, expected) => {
    const { body, warnings } = await call(provider, model, { effort: 'low' })

    expect(body).toMatchObject(expected)
    expect(warnings?.filter(({ type }) => type === 'unsupported')).toEqual([])
  })

  it.each<[ProviderName, string, RegExp]>([
    ['anthropic', 'claude-sonnet-4-5', /takes no effort: use Claude Opus 4\.6/],
    ['amazon-bedrock', 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0', /takes no effort/],
    ['amazon-bedrock', 'amazon.nova-2-lite-v1:0', /takes no effort/],
    ['cohere', 'command-a-03-2025', /takes no effort/],
    ['openai-chat', 'gpt-4.1-mini', /./],
    ['mistral', 'mistral-large-latest', /./],
  ])('of %s that %s does not take is left out with a warning', async (provider, model, said) => {
    const { body, warnings } = await call(provider, model, { effort: 'high' })

    const [warning] = warnings?.filter(({ type }) => type === 'unsupported') ?? []
    expect(warning).toMatchObject({ details: expect.stringMatching(said) })
    expect(JSON.stringify(body)).not.toMatch(/effort|thinking|reasoning(?!-)/)
  })
})

describe('the other options', () => {
  it('are those of the longest beginning of the model id', async () => {
    expect((await call('openai-compatible', 'qwen3', { temperature: 0.3 })).body).toMatchObject({ temperature: 0.3 })
  })

  it('bound what a call may produce and what is reserved for it', async () => {
    const reserved: number[] = []
    const bounds = { usd: 1, tokens: 100_000, promptTokens: 100_000, isPromptCut: false }
    const reserve: ModelAccount['reserve'] = (most) => {
      reserved.push(most.tokens)
      return unlimitedAccount.reserve(most)
    }
    const account = { readBounds: () => bounds, reserve }

    const small = await call('openai-compatible', 'qwen3', { outputTokensMax: 500 }, account)
    const large = await call('openai-compatible', 'qwen3', { outputTokensMax: 9_000 }, account)

    expect([small.body?.['max_tokens'], large.body?.['max_tokens']]).toEqual([500, 2_000])
    expect((reserved[1] ?? 0) - (reserved[0] ?? 0)).toBe(1_500)
  })

  it.each([
    ['{"openai/gpt-5": {"top_p": 1}}', 'use effort, temperature, outputTokensMax'],
    ['{"openai/gpt-5": {"effort": "hard"}}', 'is not one of none, minimal, low'],
    ['{"openai/gpt-5": {"temperature": 3}}', 'openai/gpt-5.temperature is above 2'],
    ['{"gpt-5": {}}', 'is not the beginning of a model id'],
  ])('are refused if they are %s', (value, said) => {
    expect(() => loadSettings({ env: { DOCENT_MODEL_OPTIONS: value } })).toThrow(said)
  })
})
