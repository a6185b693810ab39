import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'
import { page, someTime } from '../../testing/samples.ts'
import type { Finding } from './drift-page.tsx'

const place = { commit: '1a2b3c4d5e6f7a8b', file: 'src/options.ts', repository: 'product' }
const finding: Finding = {
  id: 'dis_1',
  siteId: 'site_1',
  kind: 'drift',
  state: 'open',
  isCertain: true,
  subject: 'paperWidth',
  page: 'guides/printers.mdx',
  title: 'The name `paperWidth` no longer exists in the product. It is now `rollWidth`.',
  places: [
    { file: 'guides/printers.mdx', line: 6, text: 'Set `paperWidth` to 58.', url: 'https://docs.example/printers' },
  ],
  facts: [
    { ...place, label: 'Last defined', value: 'paperWidth', line: 2, url: 'https://forge.example/a#L2' },
    { ...place, label: 'Renamed', value: 'rollWidth', line: 2, url: null },
  ],
  advice: 'Name `rollWidth` instead of `paperWidth` on these lines, or say that it was removed.',
  replacement: { from: 'paperWidth', to: 'rollWidth' },
  jobId: null,
  createdAt: someTime,
  updatedAt: someTime,
}

it('shows a finding with both places and the replacement, fixes it by a job, and ignores it', async () => {
  const { user, service } = openPage('/default/docs/drift', {
    listDiscrepancies: () => page([finding]),
    createDiscrepancyJob: () => ({ ...finding, jobId: 'job_1' }),
    updateDiscrepancy: () => ({ ...finding, state: 'ignored' }),
  })
  const card = within((await screen.findByRole('heading', { level: 3 })).closest('section') ?? document.body)

  expect(card.getByRole('link', { name: /line 6/ }).getAttribute('href')).toBe('https://docs.example/printers')
  expect(card.getByRole('link', { name: /@product\/src\/options.ts:2/ }).getAttribute('href')).toContain('#L2')
  expect(card.getByText('rollWidth', { selector: 'ins' })).toBeDefined()
  await user.click(card.getByRole('button', { name: 'Fix' }))
  await user.click(card.getByRole('button', { name: 'Ignore' }))

  expect(service.sent.some(({ id }) => id === 'createDiscrepancyJob')).toBe(true)
  expect(service.bodies('updateDiscrepancy')).toEqual([{ state: 'ignored' }])
})
