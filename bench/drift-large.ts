import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DriftState } from '../src/drift/drift-state.ts'
import { findDrift } from '../src/drift/find-drift.ts'

// A process of its own, so that its memory is that of the check: node drift-large.ts FILES PAGES COMMITS

const [files = 0, pages = 0, commits = 0] = process.argv.slice(2).map(Number)
await measureLargeProduct(files, pages, commits)

/** One commit changes a few files of a large product. The state lies in a file, as in a site's. */
async function measureLargeProduct(files: number, pageCount: number, commits: number): Promise<void> {
  const { signal } = new AbortController()
  const folder = await mkdtemp(join(tmpdir(), 'docent-bench-'))
  const state = new DriftState(join(folder, 'facts'))
  try {
    const versions = new Map(Array.from({ length: files }, (_, index) => [index, 0]))
    // Written when they are read, so that the memory is that of the check.
    const read = async (id: string) => {
      const [index = 0, version] = id.split(' ').map(Number)
      return version === undefined ? writePage(index) : writePart(index, version)
    }
    const listPages = Array.from({ length: pageCount }, (_, index) => ({
      path: `docs/page-${index}.md`,
      id: `${index}`,
    }))
    const takeCommit = (revision: string) => {
      const listed = [...versions].map(([index, version]) => ({
        path: `src/part-${index}.ts`,
        id: `${index} ${version}`,
      }))
      return state.advanceProduct('', { revision, files: listed, read }, signal)
    }
    const begun = performance.now()
    await state.advancePages({ revision: 'pages', files: listPages, read }, signal)
    await takeCommit('0')
    console.log(
      `drift: first reading of ${files} files and ${pageCount} pages ${((performance.now() - begun) / 1_000).toFixed(1)} s`,
    )
    const times: number[] = []
    for (let commit = 1; commit <= commits; commit++) {
      versions.set((commit * 37) % files, commit)
      const started = performance.now()
      await takeCommit(String(commit))
      findDrift(state)
      times.push(performance.now() - started)
    }
    times.sort((one, other) => one - other)
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0)
    console.log(
      `drift: a commit p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; resident ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`,
    )
  } finally {
    state.close()
    await rm(folder, { recursive: true })
  }
}

function writePart(index: number, version: number): string {
  const methods = Array.from({ length: 20 }, (_, at) => {
    const name = `computePart${index}Step${at}${at === version % 20 && version > 0 ? `V${version}` : ''}`
    return `/** Step ${at}. */\nexport function ${name}(inputRows: Row[], { rowLimit = ${at}, namePrefix = 'p${at}' }: StepOptions) {\n  const total = inputRows.length * ${at} + rowLimit\n  return { total, namePrefix, stepName: '${name}' }\n}\n`
  })
  return methods.join('\n')
}

function writePage(index: number): string {
  const lines = Array.from(
    { length: 40 },
    (_, at) => `Call \`computePart${index * 8 + (at % 8)}Step${at % 20}()\` with \`rowLimit\`.\n`,
  )
  return `# Page ${index}\n\n${lines.join('\n')}`
}
