import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { homeSchema } from '../../src/contract/home.ts'
import { webhookBodySchema } from '../../src/contract/webhooks.ts'
import { askDocent, sendAsAdmin } from '../support/ask.ts'
import { type ConnectedDocent, startConnectedDocent } from '../support/connected-forge.ts'
import { signingSecret, type SlackServer, slackToken, startSlackServer } from '../support/slack-server.ts'
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const weekMs = 7 * 86_400_000
const cake = 'How do I bake a *cake* in the kiosk?'

let docent: ConnectedDocent
let smtp: SmtpServer
let receiver: WebhookReceiver
let slack: SlackServer

beforeAll(async () => {
  smtp = await startSmtpServer()
  receiver = await startWebhookReceiver()
  slack = await startSlackServer()
  const env = { DOCENT_SMTP_URL: smtp.url, DOCENT_MAIL_FROM: 'docs@example.com', DOCENT_SLACK_URL: slack.url }
  docent = await startConnectedDocent({ env })
  const endpoint = { name: 'Chat', url: receiver.url, events: ['digest.created'] }
  await sendAsAdmin(docent, 'POST', '/admin/v1/webhook-endpoints', endpoint)
  const settings = { unansweredChannel: 'C0DIGEST' }
  await sendAsAdmin(docent, 'PUT', '/admin/v1/sites/docs/bots/slack', { token: slackToken, signingSecret, settings })
})
afterAll(async () => {
  await docent.remove()
  await Promise.all([smtp, receiver, slack].map((each) => each[Symbol.asyncDispose]()))
})

const digests = () => docent.service.store.durable.selectFrom('digests').selectAll().execute()
const until = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 100 })

it('sends what happened in a week, once, by e-mail, webhook and chat, after a mail server that was away', async () => {
  await askDocent(docent, 'What does the error E-42 mean?')
  await askDocent(docent, cake)
  // A week's digest is due six hours after its end.
  docent.advance(weekMs + 6 * 3_600_000)
  smtp.reply = '451 Try again later'
  await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { digest: { emails: ['team@example.com'] } } })

  await until(async () => expect(await digests()).toMatchObject([{ failure: expect.stringContaining('451') }]))
  smtp.reply = '250 Taken'
  await until(() => expect([slack.messages.length, receiver.requests.length]).toEqual([1, 1]))
  // Longer than the wait after any attempt that a busy machine may have had time for.
  docent.advance(3_600_000)
  await until(async () => expect(await digests()).toMatchObject([{ runAt: null, failure: null }]))

  const [mail] = smtp.mails
  expect(mail?.recipients).toEqual(['team@example.com'])
  expect(mail?.source).toContain('2 questions, 1 without an answer. The week before: 0, 0 without.')
  expect(mail?.source).toContain(cake)
  const { body } = await receiver.waitFor(() => true)
  expect(webhookBodySchema.parse(JSON.parse(body))).toMatchObject({
    type: 'digest.created',
    data: { slug: 'docs', questions: { asked: 2, unanswered: 1, askedBefore: 0 }, gaps: { open: 1 } },
  })
  // As the reader wrote it, without formatting.
  expect(slack.messages[0]?.text).toContain('bake a *cake*')
  expect([smtp.mails.length, receiver.requests.length, slack.messages.length]).toEqual([1, 1, 1])
})

it('says on Home that a mail server refused it for good', async () => {
  smtp.reply = '550 No such user'
  docent.advance(weekMs)

  await until(async () => {
    const { body } = await sendAsAdmin(docent, 'GET', '/admin/v1/home')
    const digests = homeSchema.parse(body).needs.filter(({ kind }) => kind === 'digest')
    expect(digests).toMatchObject([{ tone: 'warning', detail: expect.stringContaining('550') }])
  })
  smtp.reply = '250 Taken'
})

it('sends the next one a week later, and none once it is turned off', async () => {
  docent.advance(weekMs)
  await until(() => expect(smtp.mails).toHaveLength(2))
  await until(() => expect(receiver.requests).toHaveLength(3))
  await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { digest: null } })
  docent.advance(weekMs)
  await new Promise((resolve) => void setTimeout(resolve, 1_500))

  expect(smtp.mails[1]?.source).toContain('0 questions, 0 without an answer.')
  expect(await digests()).toHaveLength(3)
})
