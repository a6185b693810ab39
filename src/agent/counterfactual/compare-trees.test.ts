import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSite } from '../../content/read-site.ts'
import { createMemoryTree } from '../../content/trees/memory-tree.ts'
import type { SuiteTest } from '../../contract/suite.ts'
import type { ComparedQuestion } from './compare-sites.ts'
import { nameContentCode } from '../../sites/indexing/content-code.ts'
import { type ParsedPage, ParsedPages } from '../../sites/indexing/parsed-pages.ts'
import { createPageReuse } from '../../sites/indexing/reuse-parsed-pages.ts'
import { compareTrees } from './compare-trees.ts'

const { signal } = new AbortController()

type Files = Record<string, string>

const config = (pages: string[], more: object = {}) =>
  JSON.stringify({ name: 'Kelp', navigation: { groups: [{ group: 'Guides', pages }] }, ...more })
const page = (title: string, body: string) => `---\ntitle: ${title}\n---\n\n${body}\n`
const pages = ['index', 'webhooks', 'limits', 'deploy']
const site: Files = {
  'docs.json': config(pages),
  'index.mdx': page('Welcome', 'Kelp sends events to your servers. Read about [limits](/limits#requests).'),
  'webhooks.mdx': page(
    'Webhooks',
    '## Sign a webhook\n\nEvery webhook is signed with a secret of 32 characters, which you find in the settings of the project. Verify the signature before you trust the body of the request.\n\n## Retries\n\nKelp repeats a delivery that failed for 24 hours with growing pauses between the attempts.',
  ),
  'limits.mdx': page(
    'Limits',
    '## Requests\n\nA project may send 600 requests per minute to the interface of Kelp, and further requests wait.',
  ),
  'deploy.mdx': page(
    'Deploy',
    '## Regions\n\nProjects run in Frankfurt by default, and you choose another region when you create the project.',
  ),
}
const retries = 'For how long does Kelp repeat a failed delivery?'
const requests = 'How many requests per minute may a project send?'
const regions = 'In which region do projects run by default?'

const ask = (question: string, test: Partial<SuiteTest> | null = null): ComparedQuestion => {
  const none = { version: null, pages: [], facts: [], without: [], isRefusal: false, answer: null }
  return { question, origin: 'suite', test: test === null ? null : { question, ...none, ...test } }
}
const all = [retries, requests, regions].map((question) => ask(question))

function compare(after: Files, questions = all, before = site) {
  const tree = (files: Files) => ({ tree: createMemoryTree(files), folder: '' })
  return compareTrees({ before: tree(before), after: tree(after), siteUrl: null, questions }, signal)
}

it('reads pages as the last indexing run of the site did', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'compare-trees-test-'))
  const parsedFile = join(folder, 'parsed')
  const known = new (class extends ParsedPages {
    override add(key: string, page: ParsedPage) {
      super.add(key, { ...page, markdown: page.markdown.replace('24 hours', '48 hours') })
    }
  })(parsedFile, nameContentCode())
  const before = createMemoryTree(site)
  await readSite(before, createPageReuse({ tree: before, known, givenUp: [], onStart() {}, onEnd() {} }))
  known.finish()
  const after = createMemoryTree(edit('webhooks.mdx', fact, 'See the console.'))
  const trees = { before: { tree: before, folder: '' }, after: { tree: after, folder: '' } }
  const compared = { ...trees, siteUrl: null, questions: all }

  const { answers } = await compareTrees({ ...compared, indexed: { parsedFile, indexFile: null } }, signal)
  const withoutFile = await compareTrees({ ...compared, indexed: { parsedFile: folder, indexFile: folder } }, signal)

  await rm(folder, { recursive: true })
  expect(JSON.stringify(answers)).toContain('48 hours')
  expect(withoutFile).toEqual(await compareTrees(compared, signal))
})

function edit(file: string, from: string | RegExp, to: string): Files {
  const text = site[file] ?? ''
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`${file} has no ${from}`)
  return { ...site, [file]: changed }
}

const fact = 'Kelp repeats a delivery that failed for 24 hours with growing pauses between the attempts.'

describe('compareTrees', () => {
  it('calls an answer worse, and names the fact, when a fact is removed', async () => {
    const { answers, facts } = await compare(edit('webhooks.mdx', fact, 'See the console.'))

    expect(answers).toMatchObject([
      { question: retries, outcome: 'worse', before: { citations: [{ path: '/webhooks' }] } },
    ])
    expect(facts).toMatchObject([{ kind: 'removed', from: { path: '/webhooks' }, text: fact }])
  })

  it.each([
    ['a number', '24 hours', '72 hours'],
    ['a polarity', 'Kelp repeats', 'Kelp never repeats'],
  ])('calls an answer worse when the page says otherwise: %s', async (_, from, to) => {
    const { answers, facts } = await compare(edit('webhooks.mdx', from, to))

    expect(answers).toMatchObject([{ question: retries, outcome: 'worse' }])
    expect(facts).toMatchObject([{ kind: 'contradicted', text: fact, to: { text: expect.stringContaining(to) } }])
  })

  it('calls an answer worse when another page denies what it says', async () => {
    const { answers, facts } = await compare(
      edit('deploy.mdx', 'Projects run', `${fact.replace('24', '2')} Projects run`),
    )

    expect(facts).toMatchObject([{ kind: 'contradicted', text: fact, to: { path: '/deploy' } }])
    expect(answers).toContainEqual(expect.objectContaining({ question: retries, outcome: 'worse' }))
  })

  it('names a fact that has moved to another page, whose answer is not worse', async () => {
    const after = { ...edit('webhooks.mdx', fact, ''), 'limits.mdx': `${site['limits.mdx']}\n## Retries\n\n${fact}\n` }
    const { answers, facts } = await compare(after)

    expect(facts).toMatchObject([{ kind: 'moved', from: { path: '/webhooks' }, to: { path: '/limits' }, text: fact }])
    expect(answers).toContainEqual(expect.objectContaining({ question: retries, outcome: 'changed' }))
    expect(answers.map(({ outcome }) => outcome)).not.toContain('worse')
  })

  it('calls an answer better when the pages did not answer and do now', async () => {
    const { answers } = await compare(site, all, edit('webhooks.mdx', fact, 'See the console.'))

    expect(answers).toMatchObject([
      { question: retries, outcome: 'better', after: { citations: [{ path: '/webhooks' }] } },
    ])
  })

  const moved = Object.fromEntries(Object.entries(site).filter(([file]) => file !== 'webhooks.mdx'))
  const neutral: Record<string, Files> = {
    'reflowed text': edit('webhooks.mdx', 'with growing pauses', 'with\ngrowing pauses'),
    'white space': edit('webhooks.mdx', '\n\n## Retries', '\n\n\n\n## Retries  '),
    'other marks': edit('webhooks.mdx', '24 hours', '**24 hours**'),
    'synonyms on another page': edit('deploy.mdx', 'create the project', 'set up the project'),
    'another order of the navigation': { ...site, 'docs.json': config([...pages].reverse()) },
    'a page that moved with a redirect': {
      ...moved,
      'docs.json': config(['index', 'events/webhooks', 'limits', 'deploy'], {
        redirects: [{ source: '/webhooks', destination: '/events/webhooks' }],
      }),
      'events/webhooks.mdx': site['webhooks.mdx'] ?? '',
    },
  }
  it.each(Object.entries(neutral))('finds nothing lost in %s', async (_, after) => {
    const { answers, facts, factCounts: _counts, counts: _all, ...structure } = await compare(after)

    expect(answers.filter(({ question }) => question !== regions)).toEqual([])
    expect(answers.filter(({ outcome }) => outcome === 'worse')).toEqual([])
    expect(facts.filter(({ kind }) => kind !== 'altered')).toEqual([])
    const nothing = { brokenLinks: [], lostAnchors: [], lostPages: [], unreachablePages: [] }
    expect(structure).toEqual({ ...nothing, byModel: null })
  })

  it('lets the tests of the suite decide what is worse', async () => {
    const after = edit('webhooks.mdx', '24 hours', '72 hours')
    const expecting = (hours: string) => ask(retries, { facts: [[`${hours} hours`]] })

    expect((await compare(after, [expecting('24')])).answers).toMatchObject([
      { outcome: 'worse', failures: [expect.stringContaining('24 hours')] },
    ])
    expect((await compare(after, [expecting('72')])).answers).toMatchObject([{ outcome: 'better', failures: [] }])
  })

  it('does not call a fact moved that recurs in another section when its heading is renamed', async () => {
    const sample = '```js\nconst server = createServer()\nserver.start()\n```'
    const page = (heading: string) =>
      `# Hooks\n\n## First hook\n\nRuns at the start.\n\n${sample}\n\n## ${heading}\n\nRuns at the end.\n\n${sample}\n`
    const one = { ...site, 'limits.mdx': page('Second hook') }
    const other = { ...site, 'limits.mdx': page('The second hook') }

    const { facts } = await compareTrees(
      {
        before: { tree: createMemoryTree(one), folder: '' },
        after: { tree: createMemoryTree(other), folder: '' },
        siteUrl: null,
        questions: [],
      },
      signal,
    )

    expect(facts).toEqual([])
  })

  it('finds links, anchors, addresses and pages that readers can no longer get to', async () => {
    const after = {
      ...edit('limits.mdx', '## Requests', '## Quota'),
      'docs.json': config(['index', 'limits', 'deploy']),
    }
    const renamed = Object.fromEntries(Object.entries(after).filter(([file]) => file !== 'deploy.mdx'))
    const { brokenLinks, lostAnchors, lostPages, unreachablePages } = await compare({
      ...renamed,
      'docs.json': config(['index', 'limits']),
    })

    expect(brokenLinks).toEqual([{ path: '/', file: 'index.mdx', url: '/limits#requests' }])
    expect(lostAnchors).toEqual([{ path: '/limits', anchor: 'requests' }])
    expect(lostPages).toEqual([{ path: '/deploy', title: 'Deploy' }])
    expect(unreachablePages).toEqual([{ path: '/webhooks', title: 'Webhooks' }])
  })
})
