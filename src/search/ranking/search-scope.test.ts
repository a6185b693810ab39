import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { SitePage } from '../../content/site-page.ts'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import { createSearchEngine } from '../search-engine.ts'
import type { SearchIndex } from '../search-query.ts'
import { makeTestInput, makeTestPage, makeTestQuery, outsider } from '../../../test/support/search-test-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'search-scope-test-'))
const engine = createSearchEngine({ threads: 1 })
let files = 0

async function openSite(pages: SitePage[], header: Parameters<typeof makeTestInput>[1] = {}): Promise<SearchIndex> {
  const file = join(folder, `${++files}.sqlite`)
  buildIndexFile(file, makeTestInput(pages, header))
  return engine.open(file)
}

const install = makeTestPage(
  '/guides/install',
  'Installation',
  'Install the command line tool with npm.\n\nUpgrade it later.',
  {
    section: ['Guides'],
  },
)
const deploy = makeTestPage('/guides/deploy', 'Deployment', 'Deploy the site behind a proxy.', { section: ['Guides'] })
const limits = makeTestPage('/api/limits', 'Rate limits', 'Set max_tokens with the --max-tokens flag, or get E429.', {
  tag: 'api',
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a query in another language', () => {
  it('is not searched for by its function words', async () => {
    const common = makeTestPage('/warn', 'Warnings', 'Die alte Warnung: the kanban board warns when it is worn.')
    const index = await openSite([common, install])

    const [best] = await index.search(makeTestQuery('Wie kann man mit npm installieren, wenn es nicht geht?'))

    expect(best?.path).toBe('/guides/install')
  })
})

describe('filters', () => {
  const versioned = ['v1', 'v2'].flatMap((version) =>
    ['en', 'fr'].map((language) =>
      makeTestPage(`/${version}/${language}/token`, `Token ${version} ${language}`, 'Rotate the token.', {
        version,
        language,
      }),
    ),
  )
  const shared = makeTestPage('/shared', 'Shared', 'A token for everybody.')
  const defaults = { defaultVersion: 'v2', defaultLanguage: 'en' }
  const findPaths = async (index: SearchIndex, rest: Parameters<typeof makeTestQuery>[1]) =>
    (await index.search(makeTestQuery('token', rest))).map(({ path }) => path).sort()

  it('takes the default version and language when none is named, and pages that have none', async () => {
    const index = await openSite([...versioned, shared], defaults)

    expect(await findPaths(index, {})).toEqual(['/shared', '/v2/en/token'])
  })

  it('takes the language that the query is written in if the site has it', async () => {
    const index = await openSite([...versioned, shared], defaults)
    const findAsked = async (text: string) => (await index.search(makeTestQuery(text))).map(({ path }) => path).sort()

    expect(await findAsked('comment changer le token dans les projets')).toEqual(['/shared', '/v2/fr/token'])
    expect(await findAsked('wie ändere ich den token')).toEqual(['/shared', '/v2/en/token'])
  })

  it('takes the version and language that the filter names', async () => {
    const index = await openSite([...versioned, shared], defaults)

    expect(await findPaths(index, { filter: { version: 'v1' } })).toEqual(['/shared', '/v1/en/token'])
    expect(await findPaths(index, { filter: { version: 'v1', language: 'fr' } })).toEqual(['/shared', '/v1/fr/token'])
    expect(await findPaths(index, { filter: { version: 'v9' } })).toEqual([])
  })

  it('takes the version and language of the page that the reader is on, below those of the filter', async () => {
    const index = await openSite([...versioned, shared], defaults)
    const currentPath = '/v1/fr/token'

    expect(await findPaths(index, { currentPath })).toEqual(['/shared', '/v1/fr/token'])
    expect(await findPaths(index, { currentPath, filter: { language: 'en' } })).toEqual(['/shared', '/v1/en/token'])
  })

  it('narrows to a tag and to a part of the tree, by whole segments', async () => {
    const text = 'All about tokens.'
    const index = await openSite([
      makeTestPage('/api', 'API', text, { tag: 'api' }),
      makeTestPage('/api/keys', 'Keys', text),
      makeTestPage('/apis', 'APIs', text),
    ])

    expect(await findPaths(index, { filter: { tag: 'api' } })).toEqual(['/api'])
    expect(await findPaths(index, { filter: { pathPrefix: '/api/' } })).toEqual(['/api', '/api/keys'])
    expect(await findPaths(index, { filter: { pathPrefix: '/' } })).toHaveLength(3)
  })

  it('narrows by groups and never widens by them', async () => {
    const member = { readerGroups: ['staff', 'beta'], isSignedIn: true }
    const index = await openSite([
      makeTestPage('/open', 'Open', 'token'),
      makeTestPage('/staff', 'Staff', 'token', { groups: ['staff'], isPublic: false }),
      makeTestPage('/beta', 'Beta', 'token', { groups: ['beta'], isPublic: false }),
      makeTestPage('/private', 'Private', 'token', { isPublic: false }),
    ])

    expect(await findPaths(index, {})).toEqual(['/open'])
    expect(await findPaths(index, { filter: { groups: ['staff'] } })).toEqual(['/open'])
    expect(await findPaths(index, { isSignedIn: true })).toEqual(['/open', '/private'])
    expect(await findPaths(index, member)).toEqual(['/beta', '/open', '/private', '/staff'])
    expect(await findPaths(index, { ...member, filter: { groups: ['beta'] } })).toEqual(['/beta', '/open', '/private'])
  })

  it('prefers the page that the reader is on, then its section', async () => {
    const text = 'Rotate the token every month.'
    const index = await openSite([
      makeTestPage('/a', 'Alpha', text, { section: ['One'] }),
      makeTestPage('/b', 'Bravo', text, { section: ['Two'] }),
      makeTestPage('/c', 'Charl', text, { section: ['Two'] }),
    ])

    const found = await index.search(makeTestQuery('rotate token', { currentPath: '/c.mdx#top' }))

    expect(found.map(({ path }) => path)).toEqual(['/c', '/b', '/a'])
  })

  it('multiplies by the boost of a page', async () => {
    const text = 'Rotate the token.'
    const index = await openSite([makeTestPage('/a', 'One', text), makeTestPage('/b', 'Two', text, { boost: 2 })])

    expect((await index.search(makeTestQuery('token'))).map(({ path }) => path)).toEqual(['/b', '/a'])
  })

  it('keeps versions apart that share their paths', async () => {
    const index = await openSite(
      [
        makeTestPage('/token', 'Token', 'The old token.', { version: 'v1' }),
        makeTestPage('/token', 'Token', 'The new token.', { version: 'v2' }),
      ],
      { defaultVersion: 'v2' },
    )

    const [passage, ...others] = await index.search(makeTestQuery('token'))

    expect([passage?.content, others]).toEqual(['The new token.', []])
    expect((await index.readPage('/token', outsider))?.markdown).toBe('The new token.')
  })
})

describe('what a reader may not see', () => {
  const secret = (path: string, markdown: string) =>
    makeTestPage(path, 'Secret install plans', markdown, { groups: ['staff'], isPublic: false, section: ['Guides'] })

  it('changes nothing for outsiders: not order, not scores, not spelling help', async () => {
    const hidden = [
      secret('/hidden/one', 'install install proxy zebra\n\nupgrade the prory prory zebra'),
      makeTestPage('/hidden/two', 'Install', 'install proxy flag', { isPublic: false }),
      makeTestPage('/hidden/three', 'Install', 'install proxy flag', { isSearchable: false }),
    ]
    const without = await openSite([install, deploy, limits])
    const withHidden = await openSite([hidden[0] as SitePage, install, ...hidden.slice(1), deploy, limits])
    const texts = [
      'install',
      'zebra',
      'prory',
      'prozy',
      'zebar install',
      'proxy flag upgrade',
      'secret plans',
      'instal the tol',
    ]

    for (const text of texts) {
      for (const currentPath of ['/guides/deploy', '/hidden/one']) {
        const query = makeTestQuery(text, { currentPath })
        expect(await withHidden.search(query)).toEqual(await without.search(query))
      }
    }
  })

  it('changes nothing for outsiders on any site', async () => {
    const word = fc.constantFrom('install', 'token', 'proxy', 'deploy', 'limit', 'flag', 'zebra', 'maxTokens')
    const body = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '))
    const bodies = fc.array(fc.record({ body, isHidden: fc.boolean() }), { minLength: 1, maxLength: 8 })

    await fc.assert(
      fc.asyncProperty(bodies, body, async (specified, text) => {
        const pages = specified.map(({ body, isHidden }, number) =>
          isHidden ? secret(`/p${number}`, body) : makeTestPage(`/p${number}`, 'Page', body, { section: ['Guides'] }),
        )
        const all = await openSite(pages)
        const visible = await openSite(pages.filter(({ isPublic }) => isPublic))

        expect(await all.search(makeTestQuery(text))).toEqual(await visible.search(makeTestQuery(text)))
      }),
      { numRuns: 15 },
    )
  })

  it('does not exist as a page or in the list either', async () => {
    const index = await openSite([install, secret('/hidden', 'zebra')])

    expect(await index.readPage('/hidden', outsider)).toBeNull()
    expect((await index.listPages(outsider)).map(({ path }) => path)).toEqual(['/guides/install'])
    expect(await index.readPage('/hidden', { readerGroups: ['staff'], isSignedIn: true })).toMatchObject({
      markdown: 'zebra',
    })
    expect(await index.readPage('/hidden', { readerGroups: ['other'], isSignedIn: true })).toBeNull()
  })

  it('is never found when it is not searchable, but read and listed when it is listed', async () => {
    const listed = makeTestPage('/listed', 'Listed', 'zebra', { isSearchable: false })
    const unlisted = makeTestPage('/unlisted', 'Unlisted', 'zebra', { isListed: false })
    const neither = makeTestPage('/neither', 'Neither', 'zebra', { isListed: false, isSearchable: false })
    const index = await openSite([listed, unlisted, neither])

    expect((await index.search(makeTestQuery('zebra'))).map(({ path }) => path)).toEqual(['/unlisted'])
    expect((await index.listPages(outsider)).map(({ path }) => path)).toEqual(['/listed', '/unlisted'])
    expect(await index.readPage('/listed', outsider)).not.toBeNull()
    expect(await index.readPage('/neither', outsider)).toBeNull()
  })
})
