import { expect, it } from 'vitest'
import type { SitePage } from '../../content/site-page.ts'
import { compareFacts } from './compare-facts.ts'
import { matchPages } from './match-pages.ts'

const seconds = 5
const inTime = (work: () => void) => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000_000).toBeLessThan(seconds)
}
const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => write(at)).join('\n\n')
// Only what the comparison reads.
const page = (path: string, markdown: string) =>
  ({ path, title: path, markdown, description: '', version: null, language: null }) as unknown as SitePage
const compare = (before: string, after: string) =>
  compareFacts([page('/a', before)], [page('/a', after)], { moved: new Map(), paths: new Set(['/a']) })

it('takes linear time for a page of which each sentence changed', () => {
  inTime(() => {
    const changes = compare(
      many(4_000, (at) => `The old limit of thing ${at} is small.`),
      many(4_000, (at) => `The new limit of thing ${at} is small.`),
    )

    expect(changes).toHaveLength(4_000)
  })
})

it('takes linear time for a line that stands below each of thousands of renamed headings', () => {
  inTime(() => {
    const changes = compare(
      many(3_000, (at) => `## Old ${at}\n\nThis is the shared sentence.`),
      many(3_000, (at) => `## New ${at}\n\nThis is the shared sentence.`),
    )

    expect(changes).toEqual([])
  })
})

it('takes linear time for a folder of pages that moved and have most of their text in common', () => {
  const pages = (folder: string) =>
    Array.from({ length: 3_000 }, (_, at) =>
      page(`/${folder}/${at}`, `${many(20, (line) => `This is the shared sentence ${line}.`)}\n\nOf its own: ${at}.`),
    )
  inTime(() => {
    const { moved } = matchPages(pages('old'), pages('new'))

    expect([...moved].filter(([from, to]) => from.replace('old', 'new') === to)).toHaveLength(3_000)
  })
})

it.each([
  ['Run it:\n\n```sh\npip install kelp\n```', 'Run it:\n\n```sh\npip download kelp\n```', 'contradicted'],
  ['Run it:\n\n```sh\nkelp serve fast\n```', 'Run it:\n\n```sh\nkelp serve\n```', 'removed'],
  ['Run it:\n\n```sh\n# Fetch the whole list\n```', 'Run it:\n\n```sh\n# Fetch the entire list\n```', 'altered'],
])('names what became of a line of code: %j → %j is %s', (before, after, kind) => {
  expect(compare(before, after)).toMatchObject([{ kind }])
})
