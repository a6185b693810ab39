import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { handOverListSchema } from '../../src/contract/hand-over.ts'
import { webhookBodySchema } from '../../src/contract/webhooks.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { type ConnectedDocent, connectForge, startConnectedDocent } from '../support/connected-forge.ts'
import { type TestForge, testForges } from '../support/forge-kinds.ts'
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts'
import { assistantKey } from '../support/start-docent.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const path = '/discovery/v2/assistant/docs/hand-over'
const fields = [
  { name: 'email', label: 'Your e-mail', kind: 'email', required: true },
  { name: 'message', label: 'Message', kind: 'paragraphs', required: true },
]

let docent: ConnectedDocent
let forge: TestForge
let smtp: SmtpServer
let receiver: WebhookReceiver

beforeAll(async () => {
  forge = await testForges.gitea()
  smtp = await startSmtpServer()
  receiver = await startWebhookReceiver()
  const env = { DOCENT_SMTP_URL: smtp.url, DOCENT_MAIL_FROM: 'docs@example.com', DOCENT_POLL_MINUTES: '0' }
  docent = await startConnectedDocent({ env })
  await connectForge(docent, forge, 'guide')
  const endpoint = { name: 'Chat', url: receiver.url, events: ['hand_over.created'] }
  await sendAsAdmin(docent, 'POST', '/admin/v1/webhook-endpoints', endpoint)
})
afterAll(async () => {
  await docent.remove()
  await Promise.all([forge.stop(), smtp[Symbol.asyncDispose](), receiver[Symbol.asyncDispose]()])
})

const setHandOver = (site: string, handOver: object | null) =>
  sendAsAdmin(docent, 'PATCH', `/admin/v1/sites/${site}`, { settings: { handOver } })

const send = (given: object, at = path, authorization = `Bearer ${assistantKey}`) =>
  docent.post(at, { requestId: randomUUID(), ...given }, { authorization })

async function list(site: string) {
  const { body } = await sendAsAdmin(docent, 'GET', `/admin/v1/sites/${site}/hand-overs`)
  return handOverListSchema.parse(body).items
}

const message = { email: 'ann@example.com', message: 'Please help.\n\nBcc: all@example.com' }

it('takes nothing where the owner has not turned it on', async () => {
  const response = await send({ fields: message })

  expect(response.status).toBe(404)
  expect(await list('docs')).toEqual([])
})

it('sends a message with its conversation to the recipients of the owner, by e-mail and webhook', async () => {
  await setHandOver('docs', { fields, emails: ['team@example.com'], issues: false })
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'What does the error E-42 mean?' }] }]
  const answered = await docent.post('/discovery/v2/assistant/docs/message', { fp: 'anonymous', messages })
  await answered.text()
  const threadId = answered.headers.get('x-thread-id')
  const threadKey = answered.headers.get('x-thread-key')

  const response = await send({ fields: message, page: 'https://www.example.com/keys', threadId, threadKey })

  expect(response.status).toBe(200)
  await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), { timeout: 20_000 })
  const [mail] = smtp.mails
  const { id } = (await list('docs'))[0] ?? {}
  expect(mail?.recipients).toEqual(['team@example.com'])
  const [head = '', text = ''] = mail?.source.split(/\n\n([^]*)/) ?? []
  expect(head).toContain('\nReply-To: ann@example.com\n')
  expect(head).toContain(`<${id}@example.com>`)
  expect(head).not.toMatch(/^Bcc:/im)
  expect(text).toContain('Please help.')
  expect(text).toContain('https://www.example.com/keys')
  expect(text).toContain('What does the error E-42 mean?')
  expect(text).toContain('the paper has run out')
  const { body } = await receiver.waitFor(() => true)
  expect(webhookBodySchema.parse(JSON.parse(body))).toMatchObject({
    type: 'hand_over.created',
    data: { handOverId: id, page: 'https://www.example.com/keys', fields: [{ value: 'ann@example.com' }, {}] },
  })
})

it.each([
  ['a field is missing', { email: 'ann@example.com' }, 'fields.message'],
  ['the address is none', { ...message, email: 'ann@example.com\r\nBcc: all@example.com' }, 'fields.email'],
  ['the text is too long', { ...message, email: `${'a'.repeat(250)}@example.com` }, 'fields.email'],
])('says what to correct if %s', async (_, given, at) => {
  const response = await send({ fields: given })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ details: [{ path: at }] })
})

it('sends no conversation to those who know only its id', async () => {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'A secret question' }] }]
  const answered = await docent.post('/discovery/v2/assistant/docs/message', { fp: 'anonymous', messages })
  await answered.text()

  await send({ fields: message, threadId: answered.headers.get('x-thread-id'), threadKey: 'guessed' })

  expect((await list('docs'))[0]).toMatchObject({ threadId: null, transcript: [] })
})

it('stores and sends a message once that is sent again, and tries again until it is taken', async () => {
  smtp.reply = '451 Try again later'
  const given = { fields: message, requestId: randomUUID() }
  const first = await send(given)
  const again = await send(given)
  await vi.waitFor(async () => expect((await list('docs'))[0]?.sends[0]?.failure).toMatch(/answered 451/), {
    timeout: 20_000,
  })

  smtp.reply = '250 Taken'
  docent.advance(60_000)

  await vi.waitFor(async () => expect((await list('docs'))[0]?.sends[0]?.state).toBe('succeeded'), { timeout: 20_000 })
  const reply: unknown = await first.json()
  expect(await again.json()).toEqual(reply)
  const [handOver] = await list('docs')
  expect(smtp.mails.filter(({ source }) => source.includes(`${handOver?.id}@`))).toHaveLength(1)
})

it('opens an issue in the repository of the site, with its text inert', async () => {
  await setHandOver('guide', { fields: fields.slice(1), emails: [], issues: true })
  const key = { kind: 'assistant', name: 'Guide', siteId: 'guide' }
  const { body } = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', key)
  const { secret } = body as { secret: string }

  const at = path.replace('/docs/', '/guide/')
  const response = await send({ fields: { message: '@all ```\n/close' } }, at, `Bearer ${secret}`)

  expect(response.status).toBe(200)
  await vi.waitFor(async () => expect((await list('guide'))[0]?.sends[0]?.state).toBe('succeeded'), { timeout: 20_000 })
  const [issue] = forge.issues ?? []
  expect(issue?.body).toContain('````text\n@all ```\n/close\n````')
  expect((await list('guide'))[0]?.sends[0]?.url).toMatch(/\/issues\/1$/)
})

it('keeps its state, and is deleted, by the people behind the site', async () => {
  const [handOver] = await list('guide')
  const at = `/admin/v1/sites/guide/hand-overs/${handOver?.id}`

  const changed = await sendAsAdmin(docent, 'PATCH', at, { state: 'done' })
  const other = await sendAsAdmin(docent, 'PATCH', at.replace('/guide/', '/docs/'), { state: 'done' })
  const deleted = await sendAsAdmin(docent, 'DELETE', at)

  expect(changed.body).toMatchObject({ state: 'done' })
  expect([other.status, deleted.status]).toEqual([404, 204])
  expect(await list('guide')).toEqual([])
})

it('is limited for each network', async () => {
  const statuses: number[] = []
  for (let sent = 0; sent < 25; sent++) statuses.push((await send({ fields: message })).status)

  const refused = statuses.indexOf(429)
  expect(refused).toBeGreaterThan(5)
  expect(statuses.slice(refused)).toEqual(statuses.slice(refused).map(() => 429))
})
