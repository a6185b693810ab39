import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onMessage, writeMessage } from '../../git/spawner/message-frames.ts'
import { createSearchEngine } from '../../search/search-engine.ts'
import { IndexProcesses, type IndexProcessesOptions, type RunIndexOptions } from './index-processes.ts'
import type { IndexMessage } from './index-site-program.ts'

let folder: string
let processes: IndexProcesses
/** The name of the newest index file. */
let indexed: string
beforeEach(async () => {
  processes = new IndexProcesses()
  folder = await mkdtemp(join(tmpdir(), 'docent-index-'))
})
afterEach(async () => {
  processes.close()
  await rm(folder, { recursive: true, force: true })
})

const endlessWorker = new URL('../../../test/support/endless-index-worker.ts', import.meta.url)

async function write(pages: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(pages)) {
    await mkdir(dirname(join(folder, 'site', path)), { recursive: true })
    await writeFile(join(folder, 'site', path), text)
  }
}

const inputOf = (site: string) => ({
  source: { kind: 'folder', location: join(site, 'site'), ref: null, subdirectory: '' } as const,
  siteUrl: null,
  file: join(site, 'indexes', 'a.sqlite'),
  parsedFile: join(site, 'parsed', 'site'),
  previousFile: null,
  currentRevision: null,
  isWrittenByOwner: true,
})

async function run({ entry, memoryMbMax, ...more }: Partial<RunIndexOptions> & IndexProcessesOptions = {}) {
  if (entry !== undefined) {
    // A test that looks for the process of a run would find the one that was kept of the run before.
    processes.close()
    processes = new IndexProcesses({ entry, ...(memoryMbMax !== undefined && { memoryMbMax }) })
  }
  const steps: string[] = []
  const result = await processes.run(inputOf(folder), {
    signal: new AbortController().signal,
    onProgress: ({ step, pagesDone, pagesTotal }) => steps.push(`${step} ${pagesDone}/${pagesTotal}`),
    onRevision: () => {},
    ...more,
  })
  if (result.outcome !== 'indexed') throw new Error('The site was indexed.')
  indexed = result.file
  return { ...result, steps }
}

async function search(text: string): Promise<string[]> {
  const engine = createSearchEngine({ threads: 1 })
  try {
    const index = await engine.open(join(folder, 'indexes', indexed))
    const passages = await index.search({ text, limit: 10, filter: {}, readerGroups: [], isSignedIn: false })
    return passages.map(({ path }) => path)
  } finally {
    await engine.close()
  }
}

it('reports progress page by page', async () => {
  await write({ 'a.md': '# A\n', 'b.md': '# B\n' })

  const { steps } = await run()

  expect(steps).toEqual(['reading 1/2', 'reading 2/2', 'building 2/2'])
})

it('turns a page whose parsing never ends into a finding, and indexes the rest', async () => {
  await write({
    'a.md': '# A\n\nA wombat.\n',
    'b.md': '---\ntitle: Quokkas\n---\n\nThis page never ends.\n',
    'c.md': '# C\n\nA numbat.\n',
    'd.md': '# D\n\nThis one never ends either.\n',
  })

  const { header, findings } = await run({ entry: endlessWorker, pageMsMax: 1_500 })

  expect(header.pageCount).toBe(4)
  expect(findings).toMatchObject([
    { file: 'b.md', rule: 'page-given-up', message: expect.stringContaining('longer than 1.5 seconds') as unknown },
    { file: 'd.md', rule: 'page-given-up' },
  ])
  expect([await search('wombat'), await search('numbat'), await search('quokkas')]).toEqual([['/a'], ['/c'], ['/b']])
})

it('fails with a message, and leaves no file, when the parsing of too many pages never ends', async () => {
  await write(Object.fromEntries(Array.from({ length: 5 }, (_, page) => [`p${page}.md`, `Page ${page} never ends.\n`])))

  await expect(run({ entry: endlessWorker, pageMsMax: 60, givenUpPagesMax: 2 })).rejects.toThrow('More than 2 pages')

  expect(await readdir(join(folder, 'indexes')).catch(() => [])).toEqual([])
})

it('reuses the process for consecutive runs, and recovers after a failed run', async () => {
  await write({ 'a.md': '# A\n\nA wombat.\n' })
  await run()
  await write({ 'a.md': '# A\n\nA numbat.\n' })
  await run()
  const seen = [await search('wombat'), await search('numbat')]
  await rm(join(folder, 'site'), { recursive: true })
  await expect(run()).rejects.toThrow('cannot be read')
  await write({ 'b.md': '# B\n\nA bilby.\n' })
  await run()

  expect(seen).toEqual([[], ['/a']])
  expect([await search('numbat'), await search('bilby')]).toEqual([[], ['/b']])
})

it('turns a page that takes too much memory into a finding', async () => {
  await write({ 'a.md': '# A\n\nA wombat.\n', 'b.md': '# B\n\nThis page takes all memory.\n' })

  const { findings } = await run({ entry: endlessWorker, memoryMbMax: 128 })

  expect(findings).toMatchObject([
    { file: 'b.md', message: expect.stringContaining('Parsing b.md runs out of memory') as unknown },
  ])
  expect(await search('wombat')).toEqual(['/a'])
})

it('begins again, once, when its process is killed', async () => {
  await write({ 'a.md': '# A\n\nA wombat.\n', 'b.md': 'It never ends.\n' })
  const kill = () => {
    const lines = execFileSync('ps', ['-eo', 'pid=,args=']).toString().split('\n')
    const found = lines.find((line) => line.includes(endlessWorker.pathname))
    process.kill(Number.parseInt(found ?? '', 10), 'SIGKILL')
  }
  let runs = 0

  const indexing = run({ entry: endlessWorker, pageMsMax: 1_500, onRevision: () => void (runs++ === 0 && kill()) })

  expect((await indexing).findings).toMatchObject([{ file: 'b.md', rule: 'page-given-up' }])
  expect(runs).toBe(3)
  expect(await search('wombat')).toEqual(['/a'])
  await expect(run({ entry: endlessWorker, onRevision: kill })).rejects.toThrow('ended without a result')
})

it('keeps its compiled code for the next process, although it is killed', async () => {
  await write({ 'a.md': 'A page.\n' })
  const cache = join(folder, 'compiled')
  const entry = fileURLToPath(new URL('./index-site-worker.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache }
  const child = spawn(process.execPath, [entry], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const done = new Promise<void>((resolve) =>
    onMessage(child.stdout, (message: IndexMessage) => message.kind === 'done' && resolve()),
  )
  writeMessage(child.stdin, { ...inputOf(folder), givenUp: [] })
  await done

  await expect.poll(async () => (await readdir(cache, { recursive: true })).length).toBeGreaterThan(100)
  child.kill('SIGKILL')
})

it('stops when its signal aborts', async () => {
  await write({ 'a.md': 'It never ends.\n' })
  const controller = new AbortController()
  const running = run({ entry: endlessWorker, signal: controller.signal, onRevision: () => controller.abort() })

  await expect(running).rejects.toThrow('was stopped')
})
