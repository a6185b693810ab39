import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { loadSettings } from '../config/load-settings.ts'
import { createManualTime, type ManualTime } from '../../test/models/manual-time.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { LiveModels } from './live-models.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-live-models-'))
const key = Buffer.alloc(32, 7)
let store: Store
let time: ManualTime
beforeAll(async () => {
  store = await openStore({ folder })
})
beforeEach(async () => {
  time = createManualTime()
  await store.durable.deleteFrom('installation').execute()
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The models of one process; several share the store. */
function startProcess(env: Record<string, string> = {}, sealedBy = key) {
  const models = new LiveModels({ ...time.deps, store, key: sealedBy, settings: loadSettings({ env }) })
  const names = async () => {
    const { answering, rewriting } = await models.current()
    return [answering, rewriting].map(({ provider, modelId }) => `${provider}/${modelId}`)
  }
  return { stored: models.stored, names }
}

it('holds a change of another process within two seconds', async () => {
  const [first, second] = [startProcess(), startProcess()]
  const before = await second.names()

  await first.stored.change('modelApiKey', 'key')
  await first.stored.change('model', 'anthropic/claude-haiku-4-5')
  const atOnce = await second.names()
  await time.advance(2_000)

  expect([before, atOnce]).toEqual([
    ['docent/offline', 'docent/offline'],
    ['docent/offline', 'docent/offline'],
  ])
  expect(await second.names()).toEqual(['anthropic/claude-haiku-4-5', 'anthropic/claude-haiku-4-5'])
})

it('makes nothing anew while nothing changes', async () => {
  const { stored } = startProcess()
  await stored.change('modelApiKey', 'key')
  await stored.change('model', 'openai/gpt-5')
  const models = new LiveModels({ ...time.deps, store, key, settings: loadSettings({ env: {} }) })

  const first = await models.current()
  models.forget()
  const second = await models.current()

  expect(second.answering).toBe(first.answering)
})

it('goes on with the settings of the environment when what is stored does not open with its key', async () => {
  const writer = startProcess()
  await writer.stored.change('modelApiKey', 'key')
  await writer.stored.change('model', 'openai/gpt-5')

  const other = startProcess({}, Buffer.alloc(32, 8))

  expect(await other.names()).toEqual(['docent/offline', 'docent/offline'])
  expect(await other.stored.list()).toMatchObject([{ source: 'default' }, { source: 'default' }, { source: 'default' }])
})

it('goes on with the models before while the database does not answer', async () => {
  const closing = mkdtempSync(join(tmpdir(), 'docent-live-models-'))
  const closed = await openStore({ folder: closing })
  const models = new LiveModels({ ...time.deps, store: closed, key, settings: loadSettings({ env: {} }) })
  const before = await models.current()

  await closed.close()
  models.forget()

  expect(await models.current()).toBe(before)
  rmSync(closing, { recursive: true, force: true })
})

it('has a model of its own for rewriting where the settings name one', async () => {
  const env = { DOCENT_REWRITE_MODEL: 'docent/offline', DOCENT_MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'k' }

  expect(await startProcess(env).names()).toEqual(['openai/gpt-5', 'docent/offline'])
})
