import { describe, expect, it } from 'vitest'
import { createManualTime } from '../../test/models/manual-time.ts'
import { loadSettings } from '../config/load-settings.ts'
import { createChatModel, createEachModel, createRewriteModel } from './model-registry.ts'

const create = (env: Record<string, string>) => createChatModel(createManualTime().deps, loadSettings({ env }))

it('makes the offline model, which needs nothing, by default', async () => {
  const model = await create({})

  expect(`${model.provider}/${model.modelId}`).toBe('docent/offline')
})

it.each([
  [{ DOCENT_MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'k' }],
  [{ DOCENT_MODEL: 'openai-chat/gpt-5', DOCENT_MODEL_API_KEY: 'k' }],
  [{ DOCENT_MODEL: 'anthropic/claude-sonnet-4-5', ANTHROPIC_API_KEY: 'k' }],
  [{ DOCENT_MODEL: 'google/gemini-2.5-flash', GOOGLE_GENERATIVE_AI_API_KEY: 'k' }],
  [{ DOCENT_MODEL: 'openai-compatible/qwen/qwen3:8b', DOCENT_MODEL_BASE_URL: 'http://localhost:11434/v1' }],
])('names the model as the setting does: %o', async (env) => {
  const model = await create(env)

  expect(`${model.provider}/${model.modelId}`).toBe(env.DOCENT_MODEL)
})

describe('refuses to start, with a sentence that names the setting,', () => {
  it.each([
    [
      'a model of no provider',
      { DOCENT_MODEL: 'acme/one' },
      'DOCENT_MODEL names "acme/one", which no provider has: use',
    ],
    ['a model named like a property of objects', { DOCENT_MODEL: 'constructor/x' }, 'which no provider has'],
    ['a second built-in model', { DOCENT_MODEL: 'docent/online' }, 'or docent/offline'],
    ['a missing key', { DOCENT_MODEL: 'openai/gpt-5' }, 'OPENAI_API_KEY is missing: DOCENT_MODEL names openai/gpt-5'],
    ['a missing address', { DOCENT_MODEL: 'openai-compatible/x' }, 'DOCENT_MODEL_BASE_URL is missing: say where'],
    [
      'a fallback without a key',
      { DOCENT_MODEL_FALLBACKS: 'docent/offline, anthropic/claude-haiku-4-5' },
      'ANTHROPIC_API_KEY is missing: DOCENT_MODEL_FALLBACKS names anthropic/claude-haiku-4-5',
    ],
    [
      'a fallback that would get the key of another provider',
      { DOCENT_MODEL: 'openai/gpt-5', DOCENT_MODEL_API_KEY: 'k', DOCENT_MODEL_FALLBACKS: 'google/gemini-2.5-pro' },
      'GOOGLE_GENERATIVE_AI_API_KEY is missing',
    ],
    [
      'a fallback whose address is not known',
      { DOCENT_MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'k', DOCENT_MODEL_FALLBACKS: 'openai-compatible/x' },
      'only works as a fallback when DOCENT_MODEL is openai-compatible too',
    ],
  ])('%s', async (_, env, sentence) => {
    await expect(create(env)).rejects.toThrow(sentence)
  })
})

it('opens the fallbacks in order', async () => {
  const env = { DOCENT_MODEL_FALLBACKS: 'openai/gpt-5,docent/offline', OPENAI_API_KEY: 'k' }

  const models = await createEachModel(createManualTime().deps, loadSettings({ env }))

  expect(models.map(({ provider, modelId }) => `${provider}/${modelId}`)).toEqual([
    'docent/offline',
    'openai/gpt-5',
    'docent/offline',
  ])
})

describe('the model that rewrites follow-ups', () => {
  const createRewriting = (env: Record<string, string>) =>
    createRewriteModel(createManualTime().deps, loadSettings({ env }))

  it('is absent unless one is configured', async () => {
    expect(await createRewriting({})).toBeNull()
  })

  it('is the configured one, with the key of its own provider', async () => {
    const env = { DOCENT_MODEL: 'openai/gpt-5', DOCENT_MODEL_API_KEY: 'k' }

    const model = await createRewriting({ ...env, DOCENT_REWRITE_MODEL: 'openai/gpt-5-nano' })

    expect(`${model?.provider}/${model?.modelId}`).toBe('openai/gpt-5-nano')
    await expect(createRewriting({ ...env, DOCENT_REWRITE_MODEL: 'google/gemini-2.5-flash-lite' })).rejects.toThrow(
      'GOOGLE_GENERATIVE_AI_API_KEY is missing: DOCENT_REWRITE_MODEL names google/gemini-2.5-flash-lite',
    )
  })
})
