import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'
import { makeSite, page, someTime } from '../../testing/samples.ts'

it('shows the findings of a site with file and line, narrowed by words, and the addresses of the site', async () => {
  const generation = { number: 1, revision: 'abc', pages: 3, chunks: 9, findings: 2, createdAt: someTime }
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
  await user.type(screen.getByLabelText('Text'), 'no finding says this')
  await screen.findByText('No matching findings')
  await user.clear(screen.getByLabelText('Text'))
  await user.type(screen.getByLabelText('Text'), 'BROKEN.mdx')
  await screen.findByText('broken.mdx:3')

  expect(screen.queryByText('other.mdx')).toBeNull()
  screen.getByText('http://localhost:3000/sites/docs/mcp')
  await screen.findByText('http://localhost:3000/git/default/docs.git')
  await screen.findByText('No keys for this site')
})
