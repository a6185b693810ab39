import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureProgram } from '../scripts/program-build.ts'
import { root } from '../scripts/web-build.ts'
import { startSpawner } from '../src/git/spawner/spawner.ts'
import { IndexProcesses } from '../src/sites/indexing/index-processes.ts'
import { median } from './load.ts'
import { readProcessTree } from './process-tree.ts'

// Processor time of indexing a site in git, of all processes: first as a whole, then after a change of ten pages, and of
// one, by a process that was just started and by one that still runs. The ratio is to the whole.

const pagesOfSite = 1_000

/** @param rounds Changes of each kind. @param folder A site of one's own; by default one made of the documentation. */
export async function benchIndex(rounds: number, folder?: string): Promise<void> {
  await ensureProgram()
  await startSpawner()
  const work = mkdtempSync(join(tmpdir(), 'docent-bench-index-'))
  const site = createSite(work, folder)
  const entry = pathToFileURL(join(root, 'dist/sites/indexing/index-site-worker.js'))
  const index = createIndexer(work, entry)
  try {
    const whole = await index.run()
    const rows: Record<string, object> = {}
    const note = (name: string, cpuMs: readonly number[]) => {
      const middle = median(cpuMs)
      rows[name] = { 'cpu ms': Math.round(middle), 'of the whole': `${((middle / whole) * 100).toFixed(1)} %` }
    }
    note(`all ${site.pages.length} pages`, [whole])
    for (const count of [10, 1]) {
      const cold: number[] = []
      const warm: number[] = []
      for (let round = 0; round < rounds; round++) {
        index.endProcess()
        site.change(count)
        cold.push(await index.run())
        site.change(count)
        warm.push(await index.run())
      }
      note(`${count} changed, new process`, cold)
      note(`${count} changed, running process`, warm)
    }
    console.log(`\nIndexing a site, median of ${rounds}`)
    console.table(rows)
  } finally {
    index.endProcess()
    rmSync(work, { recursive: true, force: true })
  }
}

function createSite(work: string, from?: string) {
  const repository = join(work, 'site')
  if (from === undefined) writeCopies(repository)
  else cpSync(from, repository, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: repository })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'All')
  const pages = globSync('**/*.{md,mdx}', { cwd: repository }).sort()
  let changed = 0
  return {
    repository,
    pages,
    change(count: number) {
      for (let page = 0; page < count; page++) {
        const file = pages[(changed * 37) % pages.length] ?? ''
        appendFileSync(join(repository, file), `\nA sentence about change ${changed++}.\n`)
      }
      git('commit', '-qam', 'Change')
    },
  }
}

function writeCopies(repository: string): void {
  const files = globSync('{guides,reference}/*.mdx', { cwd: join(root, 'docs') }).sort()
  const paths: string[] = []
  for (let copy = 0; paths.length < pagesOfSite; copy++) {
    for (const file of files.slice(0, pagesOfSite - paths.length)) {
      const text = readFileSync(join(root, 'docs', file), 'utf8').replace(
        /^title: (.*)$/m,
        `title: "Part ${copy}: ${file}"`,
      )
      const path = `part-${copy}/${file}`
      cpSync(join(root, 'docs', file), join(repository, path))
      writeFileSync(join(repository, path), text)
      paths.push(path.replace('.mdx', ''))
    }
  }
  writeFileSync(join(repository, 'docs.json'), JSON.stringify({ name: 'Parts', navigation: { pages: paths } }))
}

function createIndexer(work: string, entry: URL) {
  let processes = new IndexProcesses({ entry })
  let previousFile: string | null = null
  let runs = 0
  const location = join(work, 'site')
  return {
    /** @returns Processor time, in milliseconds. */
    async run(): Promise<number> {
      const before = readProcessTree().childCpuMs
      const own = process.cpuUsage()
      const result = await processes.run(
        {
          source: { kind: 'git', location, ref: null, subdirectory: '' },
          siteUrl: null,
          file: join(work, 'indexes', `${runs++}.sqlite`),
          previousFile,
          parsedFile: join(work, 'parsed', 'site'),
          isWrittenByOwner: true,
          currentRevision: null,
        },
        { signal: new AbortController().signal, onProgress: () => {}, onRevision: () => {} },
      )
      if (result.outcome !== 'indexed') throw new Error('Nothing was indexed.')
      previousFile = join(work, 'indexes', result.file)
      const { user, system } = process.cpuUsage(own)
      return readProcessTree().childCpuMs - before + (user + system) / 1_000
    },
    endProcess() {
      processes.close()
      processes = new IndexProcesses({ entry })
    },
  }
}
