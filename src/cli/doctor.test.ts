import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { protocolOf, readRecording } from '../../test/models/protocols.ts'
import { type RecordedServer, type Reply, startRecordedServer } from '../../test/models/recorded-server.ts'
import { copyUsualFirstStart } from '../../test/support/start-docent.ts'
import { writeStaticModel } from '../../test/support/static-model.ts'
import { loadSettings } from '../config/load-settings.ts'
import { doctor } from './doctor.ts'
import type { Output } from './output.ts'

const folder = mkdtempSync(join(tmpdir(), 'doctor-test-'))
let server: RecordedServer
beforeAll(async () => {
  server = await startRecordedServer()
  await copyUsualFirstStart(join(folder, 'data'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

async function examine(env: Record<string, string>) {
  const printed: unknown[] = []
  const output: Output = { isJson: true, result: (value) => void printed.push(value), write() {}, progress() {} }
  const isFine = await doctor(output, () => loadSettings({ env: { DOCENT_DATA: join(folder, 'data'), ...env } }))
  const [{ findings }] = printed as [{ findings: { check: string; isFine: boolean; message: string }[] }]
  const lines = findings.map(({ check, isFine, message }) => `${isFine ? 'fine' : 'wrong'} ${check}: ${message}`)
  return { isFine, lines, wrong: lines.filter((line) => line.startsWith('wrong')) }
}

const chat = protocolOf('openai-compatible')

/** A provider that replies so, asked by `docent doctor`. */
function examineModel(reply: Reply) {
  server.replyWith('data-until-done', reply)
  return examine({ DOCENT_MODEL: 'openai-compatible/qwen3', DOCENT_MODEL_BASE_URL: server.url })
}

it('finds nothing wrong with an installation that works', async () => {
  const { isFine, lines } = await examine({})

  expect(isFine).toBe(true)
  expect(lines).toEqual([
    'fine settings: The settings are valid.',
    `fine data folder: ${join(folder, 'data')} is writable.`,
    'fine database: The embedded database can be opened.',
    expect.stringMatching(/^fine access: .*docent owner-link.*docent key create/),
    expect.stringMatching(/^fine git: git \d/),
    expect.stringMatching(/^fine model: docent\/offline answered in \d+ ms\.$/),
  ])
})

it('says what to do where nothing was started yet, and makes no folder', async () => {
  const data = join(folder, 'none', 'data')

  const { lines, wrong } = await examine({ DOCENT_DATA: data })

  expect(lines).toContain(`fine data folder: ${data} does not exist yet; the first start creates it.`)
  expect(wrong).toEqual([expect.stringContaining(`database: There is no Docent installation in ${data}. Start Docent`)])
  expect(existsSync(join(folder, 'none'))).toBe(false)
})

it('asks the model for a few tokens', async () => {
  const events = readRecording(chat, 'text')

  const { wrong } = await examineModel({ type: 'stream', events })

  expect(wrong).toEqual([])
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 16 })
})

it.each<[string, Reply, string]>([
  ['a refused key', { type: 'status', status: 401, body: '{}' }, 'refused the key. Check DOCENT_MODEL_API_KEY'],
  [
    'an unknown model',
    { type: 'status', status: 404, body: '{}' },
    'is not known there. Check its name in DOCENT_MODEL',
  ],
  ['too many calls', { type: 'status', status: 429, body: '{}' }, 'receives too many requests.'],
  ['a failing provider', { type: 'status', status: 503, body: '{}' }, 'failed at its provider. Try again'],
  ['a closed connection', { type: 'hang-up' }, 'cannot be reached. Check DOCENT_MODEL_BASE_URL'],
  ['another protocol', { type: 'stream', events: ['<html>'] }, 'gave an unreadable reply.'],
])('says in a sentence what is wrong with the model: %s', async (_, reply, sentence) => {
  const { isFine, wrong } = await examineModel(reply)

  expect(isFine).toBe(false)
  expect(wrong).toEqual([expect.stringContaining(`wrong model: openai-compatible/qwen3 ${sentence}`)])
  expect(server.requests).toHaveLength(1)
})

it('says which key is missing', async () => {
  expect((await examine({ DOCENT_MODEL: 'anthropic/claude-sonnet-4-5' })).wrong).toEqual([
    expect.stringContaining('wrong model: ANTHROPIC_API_KEY is missing'),
  ])
})

it('lists every fault of the settings', async () => {
  const { wrong } = await examine({ PORT: 'http', DOCENT_MODLE: 'x/y' })

  expect(wrong).toEqual([
    expect.stringContaining('DOCENT_MODLE is not a setting'),
    expect.stringContaining('PORT is not a whole number'),
  ])
})

it('goes on with the other checks when the data folder cannot be used', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')

  const { lines } = await examine({ DOCENT_DATA: join(file, 'data') })

  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'fine settings',
    'wrong data folder',
    'fine git',
    'fine model',
  ])
})

it('asks the embedding model for a vector, and says what to do where it gives none', async () => {
  const env = { DOCENT_EMBEDDING_MODEL: 'openai-compatible/embed', DOCENT_EMBEDDING_BASE_URL: server.url }
  const vector = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2] }], model: 'embed' }
  server.replyWith('data', { type: 'status', status: 200, body: JSON.stringify(vector) })
  expect((await examine(env)).lines.at(-1)).toMatch(
    /^fine embedding: openai-compatible\/embed returned a vector of 2 dimensions in \d+ ms\.$/,
  )

  server.replyWith('data', { type: 'status', status: 404, body: '{"error":{"message":"no such model"}}' })
  expect((await examine(env)).wrong).toEqual([
    expect.stringMatching(/^wrong embedding: openai-compatible\/embed is not known there\. .+DOCENT_EMBEDDING_MODEL/),
  ])
  expect((await examine({ DOCENT_EMBEDDING_MODEL: 'openai-compatible/embed' })).wrong).toEqual([
    expect.stringContaining('wrong embedding: DOCENT_EMBEDDING_BASE_URL is missing'),
  ])
})

it('says what the folder of an embedding model contains', async () => {
  const model = mkdtempSync(join(folder, 'model-'))
  const env = { DOCENT_EMBEDDING_MODEL: `local:${model}` }

  expect((await examine(env)).wrong).toEqual([expect.stringContaining('tokenizer.json cannot be read (ENOENT)')])
  writeStaticModel(model, ['how', 'install'])
  expect((await examine(env)).lines.at(-1)).toMatch(
    /^fine embedding: local:\/.+ returned a vector of 96 dimensions in \d+ ms\. It is a table of 4 tokens in 0\.0 MB\.$/,
  )
})
