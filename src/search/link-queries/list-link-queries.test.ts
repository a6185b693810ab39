import { expect, it } from 'vitest'
import { type LinkingPage, listLinkQueries } from './list-link-queries.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const edition = { version: null, language: null }

function page(path: string, title: string, markdown: string, changes: Partial<LinkingPage> = {}): LinkingPage {
  const open = { groups: [], isPublic: true, isSearchable: true }
  return { path, title, markdown, version: null, language: null, ...open, ...changes }
}

const listTexts = (pages: LinkingPage[], limit = 100) =>
  listLinkQueries(pages, edition, limit)
    .queries.map(({ text, path }) => `${text} → ${path}`)
    .sort()

it('takes the words of a link for a query whose answer is the page it leads to', () => {
  const pages = [
    page('/', 'Start', 'See [how to `put it live`](/guides/deploy#first) and [*old* releases](/old/).'),
    page('/guides/deploy', 'Deployment', ''),
    page('/old', 'Archive', ''),
  ]

  expect(listTexts(pages)).toEqual(['how to put it live → /guides/deploy', 'old releases → /old'])
})

it('leaves out titles, texts with several targets, images, addresses, and links to itself or elsewhere', () => {
  const links = [
    '[deployments](/guides/deploy)',
    '[more about it](/guides/deploy) and [more about it](/old)',
    '![a picture of it](/guides/deploy)',
    '[https://x.example/old](/old) [/old page](/old)',
    '[back to the top](/)',
    '[not here](/missing) [outside](https://x.example/old)',
  ]
  const pages = [
    page('/', 'Start', links.join('\n')),
    page('/guides/deploy', 'Deployment', ''),
    page('/old', 'Archive', ''),
  ]

  expect(listTexts(pages)).toEqual([])
})

it('reads only what everyone may see, in the default version and language', () => {
  const target = page('/deploy', 'Deployment', '')
  const hidden = { isPublic: false }
  const pages = [
    target,
    page('/secret', 'Secret', '[going live in secret](/deploy)', hidden),
    page('/team', 'Team', '[going live as a team](/deploy)', { ...hidden, groups: ['team'] }),
    page('/v1', 'Old', '[going live long ago](/deploy)', { version: 'v1' }),
    page('/draft', 'Draft', '[going live one day](/deploy)', { isSearchable: false }),
    page('/', 'Start', '[going live](/deploy), [not yet](/secret)'),
  ]

  expect(listLinkQueries(pages, { version: 'v2', language: null }, 10)).toEqual({
    reader: { readerGroups: [], isSignedIn: false },
    queries: [{ text: 'going live', path: '/deploy' }],
  })
})

it('reads a site that requires sign-in as a reader without groups', () => {
  const hidden = { isPublic: false }
  const pages = [
    page('/', 'Start', '[going live](/deploy), [for the team](/team)', hidden),
    page('/deploy', 'Deployment', '', hidden),
    page('/team', 'Team', '', { ...hidden, groups: ['team'] }),
  ]

  const { reader, queries } = listLinkQueries(pages, edition, 10)

  expect(reader).toEqual({ readerGroups: [], isSignedIn: true })
  expect(queries).toEqual([{ text: 'going live', path: '/deploy' }])
})

it('chooses the same queries whatever the order of the pages, few of one page, and most of them again after a change', () => {
  const targets = Array.from({ length: 60 }, (_, at) => page(`/t${at}`, `Target ${at}`, ''))
  const source = (count: number) =>
    page('/', 'Start', Array.from({ length: count }, (_, at) => `[topic of kind${at}](/t${at % 60})`).join(' '))
  const before = listTexts([source(300), ...targets], 50)

  expect(before).toHaveLength(50)
  expect(listTexts([...targets, source(300)], 50)).toEqual(before)
  const after = listTexts([source(310), ...targets], 50)
  expect(after.filter((query) => before.includes(query)).length).toBeGreaterThan(40)
  expect(listTexts([source(600), ...targets], 1_000)).toHaveLength(180)
})

it('stays fast on text made to slow it down', () => {
  const pages = [page('/', 'Start', '['.repeat(200_000) + '[a'.repeat(100_000) + '[ab](/'.repeat(50_000))]
  const startedAt = threadCpuMs()

  expect(listTexts(pages)).toEqual([])
  expect(threadCpuMs() - startedAt).toBeLessThan(2_000)
})
