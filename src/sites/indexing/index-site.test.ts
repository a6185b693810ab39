import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGitRepository, type GitRepository } from '../../../test/support/git-repository.ts'
import { outsider } from '../../../test/support/search-test-site.ts'
import { findAddress } from '../../search/addresses/find-address.ts'
import { listIndexedPages } from '../../search/addresses/read-index-file.ts'
import { IndexFile } from '../../search/index-file/index-file.ts'
import { indexSite } from './index-site.ts'

let repository: GitRepository
beforeAll(async () => {
  repository = await createGitRepository()
  const preset = `['classic', { docs: { path: '../docs' }, blog: false }]`
  await repository.write('website/docusaurus.config.js', `module.exports = { presets: [${preset}] }`)
  await repository.write(
    'docs/intro.md',
    '\uFEFF---\r\ntitle: Intro\r\n---\r\n\r\nWindows *writes* it.\r\n\r\n## Next\r\n',
  )
  await repository.write('plain/start.md', 'Stays as it is.\n\n- one\n- two')
  await repository.write('plain/more.md', '# More\n\nMoves down.\n')
  await repository.link('plain/link.md', 'start.md')
  repository.commit()
})
afterAll(() => repository.remove())

const options = {
  signal: AbortSignal.timeout(60_000),
  onProgress() {},
  onRevision() {},
  onPageStarted() {},
  onPageEnded() {},
}

const usual = { siteUrl: null, givenUp: [], isWrittenByOwner: true, currentRevision: null, previousFile: null }

async function index(kind: 'git' | 'folder', subdirectory: string, previousFile: string | null = null) {
  const folder = join(repository.outside, `${kind}-${subdirectory}`)
  const input = {
    source: { kind, location: repository.folder, ref: null, subdirectory },
    ...usual,
    file: join(folder, 'new.sqlite'),
    previousFile,
    parsedFile: join(folder, 'parsed'),
  }
  const result = await indexSite(input, options)
  if (result.outcome !== 'indexed') throw new Error('The source has a new revision.')
  return { name: join(folder, result.file), revision: result.header.revision }
}

/** The lines that each page names, checked with nothing but git. */
function readLines({ name, revision }: { name: string; revision: string }) {
  const index = new IndexFile(name)
  const found = index.pages.flatMap(({ file, path }, page) =>
    index.getOrigins(page).map(({ lines, sha256 }) => {
      const blob = execFileSync('git', ['cat-file', 'blob', `${revision}:${file}`], { cwd: repository.folder })
      const stored = blob
        .toString()
        .split(/(?<=\n)/)
        .slice((lines?.[0] ?? 0) - 1, lines?.[1])
      expect(createHash('sha256').update(stored.join('')).digest('hex')).toBe(sha256)
      return [path, file, ...(lines ?? [])]
    }),
  )
  index.close()
  return found
}

it('names lines by the path in the repository, whatever folder the site is in', async () => {
  const around = await index('git', 'website')
  const within = await index('git', 'plain')

  expect(readLines(around)).toEqual([
    ['/docs/intro', 'docs/intro.md', 5, 5],
    ['/docs/intro', 'docs/intro.md', 7, 7],
  ])
  expect(new Set(readLines(within).map(([path, file]) => `${path} ${file}`))).toEqual(
    new Set(['/link plain/start.md', '/more plain/more.md', '/start plain/start.md']),
  )
})

it('names the same files in a folder', async () => {
  const { name } = await index('folder', 'website')

  const opened = new IndexFile(name)
  const files = opened.pages.map(({ file }) => file)
  opened.close()

  expect(files).toEqual(['docs/intro.md'])
})

it('follows lines that move while pages are reused', async () => {
  const before = await index('git', 'plain')
  await repository.write('plain/more.md', '---\ntitle: More\n---\n\n# More\n\nMoves down.\n')
  repository.commit()

  const after = await index('git', 'plain', before.name)

  const moved = (lines: ReturnType<typeof readLines>) => lines.filter(([path]) => path === '/more')
  expect(moved(readLines(before))).toEqual([['/more', 'plain/more.md', 3, 3]])
  expect(moved(readLines(after))).toEqual([['/more', 'plain/more.md', 7, 7]])
  expect(readLines(after)).toContainEqual(['/start', 'plain/start.md', 3, 4])
})

it('redirects the address of a page whose file was moved in the repository, and knows when it changed', async () => {
  const moving = await createGitRepository()
  const lines = Array.from({ length: 20 }, (_, line) => `Line ${line} of the page.`).join('\n')
  await moving.write('docs/old.md', `# Page\n\n${lines}\n`)
  moving.commit()
  moving.git(['mv', 'docs/old.md', 'docs/new.md'])
  moving.commit()
  const file = join(moving.outside, 'new.sqlite')
  const source = { kind: 'git' as const, location: moving.folder, ref: null, subdirectory: 'docs' }
  const result = await indexSite({ ...usual, source, file, parsedFile: join(moving.outside, 'parsed') }, options)

  const opened = new IndexFile(join(moving.outside, result.outcome === 'indexed' ? result.file : ''))
  const found = findAddress(opened, '/old.md', outsider)
  const [page] = listIndexedPages(opened, outsider)
  const changed = Number(moving.git(['log', '-1', '--format=%ct'])) * 1000
  opened.close()
  await moving.remove()

  expect(found).toEqual({ kind: 'page', path: '/new', anchor: '' })
  expect(page).toMatchObject({ path: '/new', changedAt: changed })
})

const part = fc.constantFrom(
  'Words.',
  '## What’s new?\n\nSee [the other](/b#what’s-new).',
  '[Gone](/gone) and [here](/a#nowhere).',
  '```json\n{"a": 1 "b": 2}\n```',
  '```sh\nkiosk open --prot 80\n```',
  '## `kiosk open`\n\n`--port`\n\n## `kiosk close`\n\n## `kiosk add`',
  '`KIOSK_TIMEOUT` defaults to `30s`.',
  '`KIOSK_TIMEOUT` defaults to `60s`.',
)
const body = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('\n\n'))
const revisions = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), body, { minKeys: 1 }), {
  minLength: 2,
  maxLength: 4,
})

it('makes the same of a site whether it reuses earlier runs or not', async () => {
  await fc.assert(
    fc.asyncProperty(revisions, async (sites) => {
      const folder = await mkdtemp(join(tmpdir(), 'docent-index-'))
      const location = join(folder, 'site')
      const run = async (name: string, previousFile: string | null) => {
        const source = { kind: 'folder' as const, location, ref: null, subdirectory: '' }
        const place = { file: join(folder, name, 'new.sqlite'), parsedFile: join(folder, name, 'parsed') }
        const result = await indexSite({ ...usual, ...place, source, previousFile }, options)
        if (result.outcome !== 'indexed') throw new Error('The source has a new revision.')
        return result
      }
      let previous: string | null = null
      for (const [revision, pages] of sites.entries()) {
        await rm(location, { recursive: true, force: true })
        await mkdir(location)
        await writeFile(join(location, 'docs.json'), JSON.stringify({ navigation: { pages: Object.keys(pages) } }))
        for (const [page, text] of Object.entries(pages)) await writeFile(join(location, `${page}.mdx`), text)

        const reused = await run('reused', previous)
        const anew = await run(`anew-${revision}`, null)

        expect(reused).toEqual(anew)
        previous = join(folder, 'reused', reused.file)
      }
      await rm(folder, { recursive: true })
    }),
    { numRuns: 30 },
  )
})
