import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'
import { makeHome, makeSite, page, someTime } from '../../testing/samples.ts'

it('shows the findings of a site with file and line, narrowed by words, and the addresses of the site', async () => {
  const generation = {
    number: 1,
    revision: 'abc',
    pages: 3,
    chunks: 9,
    findings: 2,
    format: null,
    check: null,
    createdAt: someTime,
  }
  const { user } = openPage('/default/docs', {
    listSites: () => page([makeSite({ generation })]),
    listFindings: () =>
      page([
        { file: 'broken.mdx', line: 3, message: 'A link leads nowhere.', rule: 'broken-link' },
        { file: 'other.mdx', line: null, message: 'A page has no title.', rule: 'no-title' },
      ]),
    listRepositories: () =>
      page([
        {
          id: 'repo_1',
          name: 'default/docs',
          defaultBranch: 'main',
          cloneUrl: 'http://localhost:3000/git/default/docs.git',
          createdAt: someTime,
        },
      ]),
    listKeys: () => page([]),
  })

  await screen.findByText('broken.mdx:3')
  await user.type(screen.getByLabelText('Text'), 'no finding says this{Enter}')
  await screen.findByText('No matching findings')
  await user.clear(screen.getByLabelText('Text'))
  await user.type(screen.getByLabelText('Text'), 'BROKEN.mdx{Enter}')
  await screen.findByText('broken.mdx:3')

  expect(screen.queryByText('other.mdx')).toBeNull()
  screen.getByText('http://localhost:3000/sites/docs/mcp')
  await screen.findByText('http://localhost:3000/git/default/docs.git')
  await screen.findByText('No keys for this site')
})

const check = {
  words: { medianPercent: 100, worst: { file: 'a.mdx', percent: 76.5 }, lossyPages: 1 },
  links: { total: 217, working: 195 },
  anchors: { total: 1, working: 1 },
  addressRule: null,
}
const generation = {
  number: 1,
  revision: 'abc',
  pages: 3,
  chunks: 9,
  findings: 0,
  format: null,
  check,
  createdAt: someTime,
}

it('shows how well the pages of a site agree with their source', async () => {
  openPage('/default/docs', {
    listSites: () => page([makeSite({ generation })]),
    listFindings: () => page([]),
    listKeys: () => page([]),
    listRepositories: () => page([]),
  })

  await screen.findByText('Most pages hold all words of their source; a.mdx holds the fewest, 76.5 %.')
  screen.getByText('Links between its pages that lead somewhere: 195 of 217.')
  expect(screen.queryByText('Does this link open?')).toBeNull()
})

it('asks the owner of a site with doubtful addresses whether they open, and makes it live', async () => {
  const waiting = makeSite({ generation, confirmation: { links: ['https://docs.example.com/a'], isLive: false } })
  const { user, service } = openPage('/default/docs', {
    listSites: () => page([waiting]),
    confirmSite: () => makeSite({ generation }),
    listFindings: () => page([]),
    listKeys: () => page([]),
    listRepositories: () => page([]),
  })

  await screen.findByText('Does this link open?')
  screen.getByText('Waiting for confirmation')
  expect(screen.getByRole('link', { name: 'https://docs.example.com/a' })).toHaveProperty('target', '_blank')
  expect(screen.getByRole('link', { name: 'No, change the address' }).getAttribute('href')).toMatch(/docs\/settings$/)
  await user.click(screen.getByRole('button', { name: 'Yes, go live' }))

  await screen.findByText('The site is live.')
  expect(service.bodies('confirmSite')).toHaveLength(1)
})

it('begins with what needs somebody on the site and how it goes, and names nothing of other sites', async () => {
  const counts = { questions: 120, answered: 91, unanswered: 9, helpful: 0, unhelpful: 0, costUsd: 0, firstTextMs: 900 }
  const texts = { titleMessage: { code: 'newer', values: {} }, detail: '', detailMessages: [] }
  const need = { kind: 'job', tone: 'warning', since: someTime, subjectId: 'job_1', url: null, ...texts } as const
  openPage('/default/docs', {
    listSites: () => page([makeSite({ generation })]),
    listFindings: () => page([]),
    listKeys: () => page([]),
    listRepositories: () => page([]),
    getHome: () =>
      makeHome({
        needs: [
          { ...need, id: 'a', siteId: 'site_1', title: 'A job of this site failed' },
          { ...need, id: 'b', siteId: 'site_2', title: 'A job of another site failed' },
        ],
        sites: [{ siteId: 'site_1', current: counts, previous: counts, series: [counts, counts], lastQuestion: null }],
      }),
  })

  await screen.findByText('A job of this site failed')
  screen.getByText('120')
  expect(screen.queryByText('A job of another site failed')).toBeNull()
  const headings = within(screen.getByRole('main'))
    .getAllByRole('heading', { level: 2 })
    .map((heading) => heading.textContent)
  expect(headings.slice(0, 2)).toEqual(['Needs you', 'How it’s going'])
})
