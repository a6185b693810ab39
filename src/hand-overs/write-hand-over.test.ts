import { expect, it } from 'vitest'
import type { HandOver } from '../store/hand-overs/hand-overs.ts'
import { writeHandOverIssue, writeHandOverMail } from './write-hand-over.ts'

const handOver: HandOver = {
  id: 'ho_1',
  siteId: 'site_1',
  requestId: 'r',
  threadId: null,
  page: 'https://www.example.com/keys',
  fields: [{ label: 'Message', value: '@octocat closes #1 <img src=x>\n```\n/close\n@all' }],
  transcript: [{ role: 'user', text: 'What is ````` a key?' }],
  replyTo: null,
  state: 'new',
  createdAt: 1,
}

it('keeps what readers write within code blocks of an issue', () => {
  const { body } = writeHandOverIssue(handOver, 'Docs')

  const outside = body.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')
  expect(outside.trim()).toBe('A reader wrote this:')
  expect(body).toContain('````text\n@octocat closes #1 <img src=x>\n```\n/close\n@all\n````')
  expect(body).toContain('``````text\nWhat is ````` a key?\n``````')
})

it.each([
  ['Docs\r\nBcc: all@example.com', 'Message from a reader of Docs Bcc all example.com'],
  ['@octocat/#1 <b>', 'Message from a reader of octocat 1 b'],
])('writes a title of one line without marks for the site %j', (name, title) => {
  expect(writeHandOverMail(handOver, name).title).toBe(title)
})

it('writes an e-mail with everything that the reader sent', () => {
  const { body } = writeHandOverMail(handOver, 'Docs')

  expect(body).toBe(
    'Message:\n@octocat closes #1 <img src=x>\n```\n/close\n@all\n\nPage:\nhttps://www.example.com/keys\n\nReader:\nWhat is ````` a key?\n',
  )
})
