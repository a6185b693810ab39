import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import type * as Client from '../../packages/docent-client/src/docent-client.ts'
import { readTranscript, sendAsAdmin } from '../support/ask.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { packClient, type PackedClient } from '../support/pack-client.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { v5Names } from '../wire/client-lineup.ts'
import { createV5Client, type V5Release } from '../wire/drive-v5.ts'
import { waitUntil } from '../wire/wire-client.ts'

// The package as strangers install it, with each release of the AI SDK that it names, against the whole product.

const execute = promisify(execFile)

let packed: PackedClient
let docent: Docent
beforeAll(async () => {
  packed = await packClient()
  docent = await startDocent()
}, 240_000)
afterAll(async () => {
  await docent?.remove()
  await packed?.remove()
})

const homes = new Map<V5Release, Promise<string>>()

function installWith(release: V5Release): Promise<string> {
  const home = homes.get(release) ?? packed.install(release, { ai: release })
  homes.set(release, home)
  return home
}

async function importWith(release: V5Release): Promise<typeof Client> {
  const entry = join(await installWith(release), 'node_modules/docent-client/dist/docent-client.js')
  // The package was built from the sources with these types.
  return (await import(pathToFileURL(entry).href)) as typeof Client
}

describe('the package', () => {
  it('holds its code, its types, a licence and a description, and needs nothing but the AI SDK', async () => {
    const paths = packed.files.map(({ path }) => path)
    const home = await installWith('ai-v7')
    const manifest = JSON.parse(await readFile(join(home, 'node_modules/docent-client/package.json'), 'utf8')) as object
    const code = await readFile(join(home, 'node_modules/docent-client/dist/docent-client.js'), 'utf8')
    const description = await readFile(join(home, 'node_modules/docent-client/README.md'), 'utf8')

    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/docent-client.d.ts', 'package.json']))
    expect(
      paths.filter((path) => !/^(?:dist\/[\w/-]+\.(?:d\.ts|js)|LICENSE|README\.md|package\.json)$/.test(path)),
    ).toEqual([])
    expect(manifest).toMatchObject({ peerDependencies: { ai: '>=5.0.0 <8.0.0' } })
    expect(manifest).not.toHaveProperty('dependencies')
    expect(Array.from(code.matchAll(/^import .*? from "(.*?)"/gm), ([, name]) => name)).toEqual(['ai'])
    expect(gzipSync(code).length).toBeLessThan(8_000)
    // Outside of the repository, relative links lead nowhere.
    expect(description.match(/\]\((?!https:)[^)]*\)/g)).toBeNull()
  })

  it.each(v5Names)('has types that a strict application with %s compiles', async (release) => {
    const home = await installWith(release)
    await writeFile(join(home, 'application.ts'), typedApplication)
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noEmit',
      '--skipLibCheck',
      '--ignoreConfig',
      '--target',
      'es2022',
    ]
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom', '--types', '']

    const compiled = execute('tsc', [...options, ...modules, 'application.ts'], { cwd: home }).catch(
      (error: { stdout: string }) => error,
    )

    expect((await compiled).stdout).toBe('')
  })
})

/** Uses each type as applications do; a wrong one does not compile. */
const typedApplication = `
import type { ChatTransport, UIMessage } from 'ai'
import { DocentTransport, linkCitations, listSources, listTexts, type Citation, type DocentUIMessage } from 'docent-client'

export const transport: ChatTransport<DocentUIMessage> = new DocentTransport({
  url: 'https://docent.example.com',
  site: 'docs',
  key: 'svc_dsc_x',
  question: () => ({ currentPath: '/install', filter: { version: 'v2' }, links: 'absolute', accept: ['reset-step'] }),
})
export const own: ChatTransport<UIMessage> = new DocentTransport<UIMessage>({ site: 'docs', api: '/api/chat' })

export function show(message: DocentUIMessage): string {
  const verdict: 'supported' | undefined = message.metadata?.verdict === 'supported' ? message.metadata.verdict : undefined
  const thread: string | undefined = message.metadata?.threadId
  const pages: string[] = message.parts.flatMap((part) => (part.type === 'data-suggestions' ? part.data.items : [])).map(({ url }) => url)
  const cited: Citation[] = message.parts.flatMap((part) => (part.type === 'data-docent-citation' ? [part.data] : []))
  // @ts-expect-error Metadata is typed.
  message.metadata?.verdikt
  return [verdict, thread, ...pages, ...cited.map(({ quote, source }) => quote + source.path), ...listSources(message).map(({ number }) => number), ...listTexts(message).map(linkCitations)].join()
}
`

describe.each(v5Names)('with %s', (release) => {
  const start = async (options: Partial<Client.DocentTransportOptions> = {}, chat: { chatId?: string } = {}) => {
    const { DocentTransport } = await importWith(release)
    const requests: { address: string; body: Record<string, unknown> }[] = []
    const transport = new DocentTransport({
      url: docent.url,
      site: 'docs',
      key: assistantKey,
      fetch: (address, init) => {
        const text = typeof init?.body === 'string' ? init.body : '{}'
        requests.push({ address: new Request(address).url, body: JSON.parse(text) as Record<string, unknown> })
        return fetch(address, init)
      },
      ...options,
    })
    // The driver's own transport, which this one replaces, is all that reads the server.
    const server = { url: () => '', headers: {}, close: async () => {} }
    // The releases differ in types that do not matter here.
    const untyped = transport as unknown as NonNullable<Parameters<typeof createV5Client>[1]['transport']>
    const client = await createV5Client(release, { server, body: {}, transport: untyped, ...chat })
    return { client, transport, requests }
  }

  it('continues the thread with its key, and sends back no passages', async () => {
    const { client, requests } = await start({ question: { currentPath: `/${'x'.repeat(300)}` } })

    const first = await client.ask('What does the error E-42 mean?')
    const second = await client.ask('What is the limit of tickets per sale?')

    expect([first.error, second.error]).toEqual([null, null])
    expect(first.text).toContain('E-42')
    expect(second.threadIds['metadata']).toBe(first.threadIds['metadata'])
    const [asked, again] = requests.map(({ body }) => body)
    expect(asked).toMatchObject({ fp: 'anonymous', threadId: null, threadKey: null, trigger: 'submit-message' })
    expect(again).toMatchObject({ threadId: first.threadIds['metadata'], threadKey: expect.stringMatching(/^.{16,}$/) })
    expect(String(asked?.['currentPath'])).toHaveLength(200)
    const history = again?.['messages'] as { parts: { type: string }[] }[]
    expect(new Set(history.flatMap(({ parts }) => parts.map(({ type }) => type)))).toEqual(new Set(['text']))
  })

  it('sends files with their question only, so that one that was too large does not end the conversation', async () => {
    const { client, requests } = await start()
    const file = (bytes: number) => ({
      mediaType: 'text/plain',
      filename: 'a.log',
      url: `data:text/plain,${'x'.repeat(bytes)}`,
    })

    const refused = await client.ask('What does the error E-42 mean?', [file(4_200_000)])
    const next = await client.ask('What does the error E-42 mean?', [file(10)])

    expect([refused.error, next.error]).toEqual([expect.stringContaining('smaller files'), null])
    const sent = requests.at(-1)?.body['messages'] as { parts: { type: string }[] }[]
    expect(sent.map(({ parts }) => parts.filter(({ type }) => type === 'file').length)).toEqual([0, 1])
  })

  it('reads the cited sentences and the sources of an answer', async () => {
    const { client } = await start()
    const { listSources, listTexts } = await importWith(release)

    await client.ask('What does the error E-42 mean?')
    const message = client.lastMessage() ?? { parts: [] }

    expect(listTexts(message)).toMatchObject([
      {
        text: expect.stringContaining('E-42'),
        citations: [
          { number: '1', quote: 'The code `E-42` means that the paper has run out.', answer: { start: 0, end: 49 } },
          { number: '1', quote: 'Insert a new roll and press the green button.', answer: { start: 50, end: 95 } },
        ],
      },
    ])
    expect(listSources(message).map(({ number, title, citations }) => [number, title, citations.length])).toEqual([
      ['1', 'Printers: Error E-42', 2],
    ])
  })

  it('stays in the thread when the first answer is asked for again', async () => {
    const { client } = await start()

    const first = await client.ask('What does the error E-42 mean?')
    const again = await client.askAgain()

    expect(again).toMatchObject({ error: null, threadIds: { metadata: first.threadIds['metadata'] } })
    const stored = await readTranscript(docent, String(first.threadIds['metadata']))
    expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('continues a stored thread with the key that the storage of the page kept', async () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    }
    const before = await start({ storage })
    const { threadIds } = await before.client.ask('What does the error E-42 mean?')
    const threadId = String(threadIds['metadata'])

    const after = await start({ storage, question: {} })
    const stored = [{ id: 'a', role: 'assistant', metadata: { threadId }, parts: [] }]
    const input = { chatId: 'stored', messages: stored, trigger: 'submit-message', messageId: undefined }
    // As much of a message as the transport reads.
    await after.transport
      .sendMessages(input as unknown as Parameters<typeof after.transport.sendMessages>[0])
      .catch(() => {})

    expect([...kept.keys()]).toEqual([`docent-thread-key:${threadId}`])
    expect(after.requests[0]?.body).toMatchObject({ threadId, threadKey: [...kept.values()][0] })
  })

  it('shows the sentence of a refusal and of a lost connection', async () => {
    const refused = await start({ key: `svc_dsc_${'x'.repeat(40)}` })
    const lost = await start({ url: 'http://127.0.0.1:1' })

    expect((await refused.client.ask('What is Kiosk?')).error).toMatch(/^This key is not known/)
    expect((await lost.client.ask('What is Kiosk?')).error).toBe(
      'The assistant cannot be reached. Check your connection and ask again.',
    )
  })

  it('gets a session once its network asks more than usual, and gives feedback with it', async () => {
    const body = { kind: 'assistant', name: release, siteId: 'docs', purpose: 'website', normalPerMinute: 1 }
    const key = keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', body)).body).secret
    const { client, transport, requests } = await start({ key })

    const first = await client.ask('What does the error E-42 mean?')
    const second = await client.ask('What is the limit of tickets per sale?')
    const messageId = client.lastMessage()?.id ?? ''
    const feedback = await transport.sendFeedback({ messageId, helpful: true, reason: 'clear' })

    expect([first.error, second.error]).toEqual([null, null])
    expect(
      requests.filter(({ address }) => address.includes('/session/')).map(({ body }) => Object.keys(body)),
    ).toEqual([[], ['challenge', 'nonce']])
    expect(feedback).toMatchObject({ messageId, helpful: true, reason: 'clear' })
  })
})

describe.each(v5Names)('with %s and an answer that takes its time', (release) => {
  const model = createGatedModel()
  let slow: Docent
  beforeAll(async () => {
    slow = await startDocent({ model, env: { DOCENT_SHUTDOWN_SECONDS: '0' } })
  })
  afterAll(() => slow?.remove())
  beforeEach(() => model.close())
  afterEach(() => model.open())

  const start = async (more: { asked?: string } = {}) => {
    const { DocentTransport } = await importWith(release)
    const transport = new DocentTransport({ url: slow.url, site: 'docs', key: assistantKey })
    const server = { url: () => '', headers: {}, close: async () => {} }
    // As above.
    const untyped = transport as unknown as NonNullable<Parameters<typeof createV5Client>[1]['transport']>
    return {
      transport,
      client: await createV5Client(release, { server, body: {}, transport: untyped, chatId: 'a/b c', ...more }),
    }
  }

  it('resumes it after the page was loaded anew, and stops it for good', async () => {
    const before = await start()
    const asking = before.client.ask('What is Kiosk?')
    await waitUntil(() => before.client.partialText() === 'first ')
    await before.client.stop()
    await asking
    const after = await start({ asked: 'What is Kiosk?' })

    const resuming = after.client.resume()
    await waitUntil(() => after.client.partialText() === 'first ')
    const outcome = await after.transport.stopAnswer('a/b c')
    const turn = await resuming

    expect(outcome).toEqual({ stopped: true })
    expect(turn).toMatchObject({ text: 'first ', error: null })
  })
})
