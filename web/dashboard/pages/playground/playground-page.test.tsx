import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { openPage } from '../../testing/open-page.tsx'
import { makeCitation } from '../../../citations/testing/make-citation.ts'

const [first, second] = ['Make the new key first.', 'Then revoke the old one.']

function stream(parts: object[]): Response {
  const all = [{ type: 'start' }, { type: 'start-step' }, ...parts, { type: 'finish-step' }, { type: 'finish' }]
  const body = all.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')
  return new Response(`${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
}

const text = (id: string, delta: string) => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta },
  { type: 'text-end', id },
]

async function ask(parts: object[]) {
  const { user } = openPage('/default/docs/playground', {
    tryAnswer: () => stream(parts),
    listPlaygroundModels: () => ({ items: [{ id: 'docent/offline', isDefault: true }], nextCursor: null }),
  })
  await user.type(await screen.findByLabelText('Question'), 'How do I replace a key?{Enter}')
  await screen.findByText('The answer is complete.')
  return screen.findByRole('region', { name: 'Answer' })
}

it('numbers the sentences of an answer in several texts, with the verdict that came last, and lists the sections', async () => {
  const at = (textId: string, end: number) => ({ answer: { textId, start: 0, end } })
  const source = { ...makeCitation('2', 0).source, headings: ['Revocation'] }
  const answer = await ask([
    ...text('a', first),
    {
      type: 'data-docent-citation',
      id: 'c1',
      data: makeCitation('1', 0, { ...at('a', first.length), verdict: 'pending' }),
    },
    ...text('b', `\n\n${second}`),
    {
      type: 'data-docent-citation',
      id: 'c2',
      data: makeCitation('2', 0, { ...at('b', second.length + 2), title: 'Caching: Revocation', source }),
    },
    { type: 'data-docent-citation', id: 'c1', data: makeCitation('1', 0, at('a', first.length)) },
    { type: 'source-url', sourceId: 'p1', url: 'https://docs.example.com/guides/keys#rotate', title: 'Keys' },
    { type: 'source-url', sourceId: 'p3', url: 'https://docs.example.com/guides/audit', title: 'Audit trail' },
  ])

  const sentences = [first, second].map((sentence) => within(answer).getByText(sentence))
  expect(sentences.map((sentence) => within(sentence).getByRole('link').getAttribute('aria-label'))).toEqual([
    'Source 1: Keys, Rotate a key',
    'Source 2: Caching, Revocation',
  ])
  expect(sentences.map(({ textContent }) => textContent)).toEqual([`${first}\u20601`, `${second}\u20602`])
  const rows = within(answer)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(rows).toEqual([
    '1KeysRotate a keySupporteddocs/guides/keys.mdx:41–44commit 9f3c2abversion v2',
    '2CachingRevocationSupporteddocs/guides/keys.mdx:41–44commit 9f3c2abversion v2',
    'Audit trail ',
  ])
})

it('shows passages beside each other where they disagree', async () => {
  const answer = await ask([
    ...text('a', first),
    { type: 'data-docent-citation', id: 'c1', data: makeCitation('1', first.length) },
    { type: 'data-docent-citation', id: 'c2', data: makeCitation('2', first.length, { quote: 'Revoke it first.' }) },
    { type: 'data-docent-verdict', data: { verdict: 'conflicting', reasons: [], sentences: [] } },
  ])

  expect(answer.textContent).toMatch(/These passages disagree\..*The old key keeps working.*Revoke it first\./)
})

it('shows the pages that an answer suggests', async () => {
  const items = [{ title: 'Audit trail', path: '/guides/audit', url: 'https://docs.example.com/guides/audit' }]

  const answer = await ask([...text('a', first), { type: 'data-suggestions', data: { items } }])

  expect(
    within(answer)
      .getByRole('link', { name: /Audit trail/ })
      .getAttribute('href'),
  ).toBe(items[0]?.url)
})

it('shows an answer without citations as it is, with its sources', async () => {
  const answer = await ask([
    ...text('a', first),
    { type: 'source-url', sourceId: 'p1', url: 'https://docs.example.com/guides/keys', title: 'Keys' },
  ])

  expect(
    within(answer)
      .getAllByRole('link')
      .map(({ textContent }) => textContent?.trim()),
  ).toEqual(['Keys'])
})
