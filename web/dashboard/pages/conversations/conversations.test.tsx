import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ListedThread, ThreadMessage, Transcript } from '../../../../src/contract/threads.ts'
import { makeCitation } from '../../../citations/testing/make-citation.ts'
import { chooseFilter } from '../../testing/choose-filter.ts'
import { openPage } from '../../testing/open-page.tsx'
import { page, someTime } from '../../testing/samples.ts'

const question = 'How long does the lantern glow?'
const thread = { id: 'thread_1', fp: 'reader-7', createdAt: someTime, updatedAt: someTime }
const listed: ListedThread = { ...thread, question, questions: 1, verdict: 'supported' }
const asked: ThreadMessage = {
  id: 'message_1',
  role: 'user',
  text: question,
  sources: [],
  citations: [],
  verdict: null,
  verdictReasons: [],
  generationId: null,
  model: null,
  costUsd: null,
  usage: null,
  timings: null,
  asked: null,
  feedback: null,
  ratings: [],
  createdAt: someTime,
}
const answered: ThreadMessage = {
  ...asked,
  id: 'message_2',
  role: 'assistant',
  text: 'For nine hours.',
  citations: [makeCitation('1', 'For nine hours.'.length)],
  verdict: 'supported',
  model: 'docent/offline',
  feedback: 'unhelpful',
  ratings: [{ helpful: false, reason: 'outdated', note: 'It is ten now.' }],
}
const transcript: Transcript = { ...thread, messages: [asked, answered], nextCursor: null }

const pageFeedback = {
  id: 'fb_1',
  siteId: 'site_1',
  messageId: null,
  threadId: null,
  path: '/install',
  fp: 'network-x',
  helpful: false,
  reason: null,
  note: 'Step 2 fails.',
  createdAt: someTime,
  updatedAt: someTime,
}

it('lists conversations, narrows them in the address, and shows one whole', async () => {
  const { user } = openPage('/default/docs/conversations', {
    listThreads: ({ query }) => page(query['verdict'] === 'failed' ? [] : [listed]),
    getThread: () => transcript,
    listFeedback: ({ query }) => page(query['about'] === 'page' ? [pageFeedback] : []),
    listPlaygroundModels: () => ({ items: [{ id: 'docent/offline', isDefault: true }], nextCursor: null }),
  })
  await screen.findByRole('link', { name: question })
  const onPages = within(await screen.findByRole('table', { name: 'Feedback on pages' }))
  expect(onPages.getByRole('link', { name: '/install' }).getAttribute('href')).toBe('/sites/docs/install')
  onPages.getByText('Step 2 fails.')

  await chooseFilter(user, 'Verdict', 'Failed')
  await screen.findByText('No matching conversations')
  expect(new URLSearchParams(location.search).get('verdict')).toBe('failed')
  await user.click(screen.getByRole('button', { name: 'Remove the filter Verdict' }))
  await user.click(await screen.findByRole('link', { name: question }))

  await screen.findByText('reader-7')
  const answer = within(await screen.findByRole('region', { name: 'Answer' }))
  expect(answer.getAllByText('Supported')).toHaveLength(2)
  answer.getByText('It is outdated: “It is ten now.”')
  expect(answer.getByText('For nine hours.').contains(answer.getByRole('link', { name: /^Source 1/ }))).toBe(true)
  expect(screen.getByRole('link', { name: 'Receipt' })).toHaveProperty(
    'pathname',
    '/admin/v1/sites/site_1/threads/thread_1/messages/message_2/receipt',
  )
  await user.click(screen.getByRole('link', { name: 'Open in the playground' }))
  await screen.findByText(/^This is a copy of a stored conversation\./)
  await within(await screen.findByText('For nine hours.')).findByRole('link', { name: /^Source 1/ })
})

it('corrects an answer in a pull request', async () => {
  const { user, service } = openPage('/default/docs/conversations/thread_1', {
    getThread: () => transcript,
    getSuite: () => ({ tests: [], results: [], runs: [] }),
    changeSuite: () => ({ pullRequest: { url: 'https://example.com/1', number: 1 } }),
  })
  await user.click(await screen.findByRole('link', { name: 'Correct the answer' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Correct the answer' }))
  await user.type(dialog.getByLabelText('The right answer'), 'For ten hours.')
  await user.type(dialog.getByLabelText('Facts'), 'ten hours | 10 hours')
  await user.click(dialog.getByRole('button', { name: 'Add to the pull request' }))

  await screen.findByText(/Your changes are in a/)
  const test = {
    question,
    version: null,
    pages: [],
    facts: [['ten hours', '10 hours']],
    without: [],
    isRefusal: false,
    answer: 'For ten hours.',
  }
  expect(service.sent.find(({ id }) => id === 'changeSuite')?.body).toEqual({ kind: 'add', test })
})

it('makes a test of a question with a click', async () => {
  const { user } = openPage('/default/docs/conversations/thread_1', {
    getThread: () => transcript,
    getSuite: () => ({ tests: [], results: [], runs: [] }),
  })
  await user.click(await screen.findByRole('link', { name: 'Make a test' }))

  const dialog = within(await screen.findByRole('dialog', { name: 'New test' }))
  expect(dialog.getByLabelText('Question')).toHaveProperty('value', question)
})

it('asks before it deletes a conversation, and goes back to the list', async () => {
  const { user, service } = openPage('/default/docs/conversations/thread_1', {
    getThread: () => transcript,
    deleteThread: () => null,
    listThreads: () => page([]),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete …' }))
  expect(service.sent.filter(({ id }) => id === 'deleteThread')).toEqual([])

  await user.click(await screen.findByRole('button', { name: 'Delete' }))

  await screen.findByText('No conversations yet')
  await screen.findByText('Conversation deleted.')
  expect(service.sent.find(({ id }) => id === 'deleteThread')?.params).toEqual({ id: 'site_1', threadId: 'thread_1' })
})
