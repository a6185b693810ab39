import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { protocolOf, readRecording } from '../models/protocols.ts'
import { type RecordedServer, startRecordedServer } from '../models/recorded-server.ts'
import { askDocent, sendAsAdmin } from '../support/ask.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const chat = protocolOf('openai-compatible')
const events = readRecording(chat, 'text')
const modelName = 'openai-compatible/qwen3:8b'
const key = 'stored-key-of-the-test-0123456789'
const question = 'What does the error E-42 mean?'

let provider: RecordedServer
let docent: Docent
beforeEach(async () => {
  provider = await startRecordedServer()
  provider.replyWith('data-until-done', { type: 'stream', events })
})
afterEach(async () => {
  await docent.remove()
  await provider.close()
})

const set = (name: string, value: string | null) => sendAsAdmin(docent, 'PUT', `/admin/v1/settings/${name}`, { value })
/** The providers of these tests are on this machine. */
const allowed = { DOCENT_ALLOW_PRIVATE_ADDRESSES: 'true' }
const list = async () => (await sendAsAdmin(docent, 'GET', '/admin/v1/settings')).body

/** The bytes of every file in a folder. */
async function readFiles(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

describe('the model, its key and its address', () => {
  it('can be stored, hold without a restart and after one, and are never shown or kept in the open', async () => {
    docent = await startDocent({ env: allowed })
    const before = await askDocent(docent, question)

    const replies = [
      await set('modelBaseUrl', provider.url),
      await set('modelApiKey', key),
      await set('model', modelName),
    ]
    const after = await askDocent(docent, question)
    const shown = JSON.stringify([replies, await list()])
    await docent.stop()
    const stored = await readFiles(docent.folder)
    docent = await startDocent({ folder: docent.folder, env: allowed })
    const restarted = await askDocent(docent, question)

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([before, after, restarted].map(({ metadata }) => metadata['model'])).toEqual([
      'docent/offline',
      modelName,
      modelName,
    ])
    expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${key}`)
    expect(shown).not.toContain(key)
    expect(stored).toContain('setting:modelApiKey')
    expect(stored).not.toContain(key)
    expect(await list()).toMatchObject({
      items: [
        { name: 'model', source: 'stored', value: modelName },
        { name: 'modelApiKey', source: 'stored', value: null, isSet: true },
        { name: 'modelBaseUrl', source: 'stored', value: provider.url },
      ],
    })
  })

  it('can be tried, which tells in a sentence of our own what is wrong', async () => {
    docent = await startDocent({ env: allowed })
    const check = () => sendAsAdmin(docent, 'POST', '/admin/v1/settings/model/check', {})
    const offline = await check()
    await set('modelBaseUrl', provider.url)
    await set('model', modelName)

    const good = await check()
    const body = JSON.stringify({ error: { message: 'Welcome to the console of the printer' } })
    provider.replyWith('data-until-done', { type: 'status', status: 401, body })
    const bad = await check()
    provider.replyWith('data-until-done', { type: 'status', status: 500, body: 'stack of the printer' })
    const worse = await check()

    expect(offline).toMatchObject({ status: 200, body: { isUsable: true, model: 'docent/offline' } })
    expect(good).toMatchObject({ status: 200, body: { isUsable: true, model: modelName } })
    expect(bad).toMatchObject({
      status: 200,
      body: { isUsable: false, model: modelName, message: expect.stringContaining('refused the key') },
    })
    expect(JSON.stringify([bad, worse])).not.toContain('printer')
  })

  it('are refused where no model could be made of them, with what to do', async () => {
    docent = await startDocent()

    const replies = [
      await set('model', 'openai/gpt-5'),
      await set('model', 'no slash'),
      await set('modelBaseUrl', 'ftp://x'),
      await set('port', '1'),
    ]

    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect(replies[0]?.body).toMatchObject({ error: expect.stringContaining('then modelApiKey, then model') })
    expect((await askDocent(docent, question)).metadata['model']).toBe('docent/offline')
  })

  it('come from the environment where it gives them, the default among them', async () => {
    docent = await startDocent({ env: { DOCENT_MODEL: 'docent/offline' } })

    const reply = await set('model', modelName)

    expect(reply).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await list()).toMatchObject({
      items: [{ source: 'environment' }, { source: 'default' }, { source: 'default' }],
    })
  })

  it('never take a key of the environment to an address that is stored', async () => {
    docent = await startDocent({ env: { ...allowed, OPENAI_API_KEY: 'key-of-the-environment' } })

    const replies = [await set('modelBaseUrl', provider.url), await set('model', 'openai-chat/gpt-4.1-mini')]
    await askDocent(docent, question)

    expect(replies.map(({ status }) => status)).toEqual([200, 400])
    expect(provider.requests).toEqual([])
  })

  it('name no address in a private network, which the environment may', async () => {
    docent = await startDocent()
    const addresses = [
      provider.url,
      'http://localhost/v1',
      'http://models.localhost/v1',
      'http://[::1]/v1',
      'http://[::ffff:127.0.0.1]/v1',
      'http://2130706433/v1',
      'http://169.254.169.254/latest',
      'http://10.1.2.3/v1',
      'https://models.example.com:8443/v1',
      'https://me:secret@models.example.com/v1',
    ]

    const replies = await Promise.all(addresses.map((address) => set('modelBaseUrl', address)))

    expect(replies.map(({ status }) => status)).toEqual(addresses.map(() => 400))
    expect(replies[0]?.body).toMatchObject({
      error: expect.stringContaining('set DOCENT_MODEL_BASE_URL in the environment'),
    })
    expect((await set('modelBaseUrl', 'https://models.example.com/v1')).status).toBe(200)
    expect(provider.requests).toEqual([])
  })

  it('never take a stored key to another address', async () => {
    docent = await startDocent({ env: allowed })
    await set('modelBaseUrl', 'http://127.0.0.1:9/v1')
    await set('modelApiKey', key)
    await set('model', modelName)

    await set('modelBaseUrl', provider.url)
    await askDocent(docent, question)

    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]?.headers.authorization).toBeUndefined()
  })
})

it('takes the usual addresses of local servers, and no others on this machine', async () => {
  docent = await startDocent()
  const near = [
    'http://127.0.0.1:11434/api',
    'http://127.0.0.1:11434/v1x',
    'http://127.0.0.1:11435/v1',
    'http://10.0.0.1/v1',
  ]

  const taken = await set('modelBaseUrl', 'http://127.0.0.1:11434/v1')
  const replies = await Promise.all(near.map((address) => set('modelBaseUrl', address)))

  expect(taken.status).toBe(200)
  expect(replies.map(({ status }) => status)).toEqual(near.map(() => 400))
})
