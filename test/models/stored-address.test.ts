import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAgentModels } from '../../src/app/agent-models.ts'
import type { LiveSettings } from '../../src/assistant/model-settings.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { type ListedSetting, listSettings } from '../../src/config/settings.ts'
import { type BilledModel, unlimitedAccount } from '../../src/models/calls/model-account.ts'
import { createChatModel, createRewriteModel } from '../../src/models/model-registry.ts'
import { providerNames } from '../../src/contract/model-providers.ts'
import { createManualTime } from './manual-time.ts'
import { protocolOf, protocols, readRecording } from './protocols.ts'
import { type RecordedServer, startRecordedServer } from './recorded-server.ts'

let provider: RecordedServer
beforeAll(async () => {
  provider = await startRecordedServer()
})
beforeEach(() => {
  provider.replyWith('data', { type: 'status', status: 401, body: '{}' })
  // Provider packages read the environment themselves for what they are not given.
  for (const secret of secrets) vi.stubEnv(secret.meta.env, secretOf(secret))
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => provider.close())

/** Every secret of the configuration, and whatever else is named like one, each with a value of its own. */
const secrets = listSettings().filter(
  ({ meta }) => meta.isSecret === true || /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD)(?:_|$)/.test(meta.env),
)
const secretOf = ({ name }: ListedSetting) => `secret-of-${name}`

function settingsWith(model: string, url: string, env: Record<string, string> = {}): LiveSettings {
  const settings = loadSettings({ env: { DOCENT_MODEL: model, DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true', ...env } })
  const values = Object.fromEntries(secrets.map((secret) => [secret.name, secretOf(secret)]))
  return { ...settings, ...values, storedAddress: { url, apiKey: 'stored-key' } }
}

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }]
const ask = async (model: BilledModel | null) => {
  for await (const _ of (await model?.billTo(unlimitedAccount).doStream({ prompt }))?.stream ?? []) continue
}

/** The variables whose values came to the stored address. */
const leaks = () => {
  const seen = JSON.stringify(provider.requests)
  return secrets.filter((secret) => seen.includes(secretOf(secret))).map(({ meta }) => meta.env)
}

describe('a stored address', () => {
  it('is tried with every secret of the environment', () => {
    const variables = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'DOCENT_MODEL_API_KEY', 'DOCENT_AGENT_MODEL_API_KEY']

    expect(secrets.map(({ meta }) => meta.env)).toEqual(expect.arrayContaining(variables))
  })

  it.each(providerNames)(
    'gets the stored key and no other from %s, as main, rewriting and agent model',
    async (name) => {
      const settings = settingsWith(`${name}/some-model`, provider.url, {
        DOCENT_REWRITE_MODEL: `${name}/small-model`,
        DOCENT_MODEL_RETRIES: '0',
      })
      const time = createManualTime()
      const agent = await createAgentModels(time.deps, settings)

      for (const model of [
        await createChatModel(time.deps, settings),
        await createRewriteModel(time.deps, settings),
        agent.find(agent.defaultId),
      ]) {
        await expect(ask(model)).rejects.toMatchObject({ fault: 'key' })
      }

      expect(provider.requests).toHaveLength(3)
      expect(provider.requests.every((request) => JSON.stringify(request.headers).includes('stored-key'))).toBe(true)
      expect(leaks()).toEqual([])
    },
  )

  it.each(providerNames)('is not called with a key of the environment when none was stored for %s', async (name) => {
    const settings: LiveSettings = {
      ...settingsWith(`${name}/some-model`, provider.url, { DOCENT_MODEL_RETRIES: '0' }),
      storedAddress: { url: provider.url, apiKey: undefined },
    }
    const time = createManualTime()

    const asking = createChatModel(time.deps, settings).then(ask)

    await expect(asking).rejects.toThrow(/is missing|Unauthorized/)
    expect(leaks()).toEqual([])
  })

  it.each(providerNames)("does not get the agent's own key for %s", async (name) => {
    const settings = settingsWith(`${name}/some-model`, provider.url, {
      DOCENT_AGENT_MODEL: `${name}/agent-model`,
      DOCENT_AGENT_MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
      DOCENT_MODEL_RETRIES: '0',
    })
    const time = createManualTime()
    const agent = await createAgentModels(time.deps, settings)

    await expect(ask(agent.find(`${name}/agent-model`))).rejects.toMatchObject({ fault: 'unreachable' })

    expect(provider.requests).toEqual([])
  })
})

describe('what may be called', () => {
  const own = 'openai-compatible/qwen3:8b'
  const chat = protocolOf('openai-compatible')

  it('is public only at a stored address, whose reply nobody gets to read', async () => {
    const settings = { ...settingsWith(own, provider.url), allowPrivateAddresses: false }

    const asking = createChatModel(createManualTime().deps, settings).then(ask)

    await expect(asking).rejects.toMatchObject({ fault: 'address', statusCode: null })
    expect(provider.requests).toEqual([])
  })

  it('may be private where the environment names it', async () => {
    const env = { DOCENT_MODEL: own, DOCENT_MODEL_BASE_URL: provider.url }
    provider.replyWith('data-until-done', { type: 'stream', events: readRecording(chat, 'text') })

    await ask(await createChatModel(createManualTime().deps, loadSettings({ env })))

    expect(provider.requests).toHaveLength(1)
  })

  it('streams from a stored address and lets go of it on an abort', async () => {
    const settings = settingsWith(own, provider.url)
    const events = readRecording(chat, 'text')
    provider.replyWith('data-until-done', { type: 'stream', events })
    const model = (await createChatModel(createManualTime().deps, settings)).billTo(unlimitedAccount)
    const types = []
    for await (const part of (await model.doStream({ prompt })).stream) types.push(part.type)

    provider.replyWith('data-until-done', { type: 'stream', events: events.slice(0, 3), end: 'open' })
    const stop = new AbortController()
    const open = (await model.doStream({ prompt, abortSignal: stop.signal })).stream
    const reading = (async () => {
      for await (const _ of open) stop.abort(new Error('enough'))
    })()

    expect(types).toEqual(expect.arrayContaining(['text-delta', 'finish']))
    await expect(reading).rejects.toThrow('enough')
  })
})

describe('a redirect to another origin', () => {
  let elsewhere: { url: string; requests: unknown[]; close(): Promise<unknown> }
  beforeEach(async () => {
    const requests: unknown[] = []
    const server = createServer((request, response) => {
      requests.push(request.headers)
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // It listens on a port.
    elsewhere = { url: `http://127.0.0.1:${port}/`, requests, close: () => once(server.close(), 'close') }
    const headers = { location: elsewhere.url }
    provider.replyWith('data', { type: 'status', status: 307, body: 'moved', headers })
  })
  afterEach(() => elsewhere.close())

  it.each(protocols)('takes no key of $name along, from the environment or from what is stored', async ({ model }) => {
    const configured = loadSettings({
      env: { DOCENT_MODEL: model, DOCENT_MODEL_BASE_URL: provider.url, DOCENT_MODEL_API_KEY: 'key-of-test' },
    })
    const time = createManualTime()

    for (const settings of [configured, settingsWith(model, provider.url)]) {
      const asking = createChatModel(time.deps, settings).then(ask)
      await expect(asking).rejects.toMatchObject({ fault: 'address' })
    }

    expect(provider.requests).toHaveLength(2)
    expect(elsewhere.requests).toEqual([])
  })
})
