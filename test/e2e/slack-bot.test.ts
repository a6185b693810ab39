import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { botListSchema } from '../../src/contract/bots.ts'
import { waitFor } from '../support/chat-server.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { settleBots } from '../support/settle-bots.ts'
import {
  signForSlack,
  signingSecret,
  slackAction,
  slackBotUser,
  slackCommand,
  slackEvent,
  type SlackServer,
  slackTeam,
  slackToken,
  startSlackServer,
} from '../support/slack-server.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

// A busy machine must not turn it red.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let slack: SlackServer
let docent: Docent
let siteId: string
beforeAll(async () => {
  slack = await startSlackServer()
  docent = await startDocent({ env: { DOCENT_SLACK_URL: slack.url } })
  siteId = await connect(docent)
})
afterAll(async () => {
  await docent.remove()
  await slack[Symbol.asyncDispose]()
})
afterEach(() => change({ channels: [], unansweredChannel: null, userPerHour: 30, directMessages: true }))

const bots = '/admin/v1/sites/docs/bots'

function call(to: Docent, method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...asAdmin }
  return fetch(to.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

/** @returns The id of the site. */
async function connect(to: Docent): Promise<string> {
  const response = await call(to, 'PUT', `${bots}/slack`, { token: slackToken, signingSecret })
  if (!response.ok) throw new Error(await response.text())
  const { items } = botListSchema.parse(await (await call(to, 'GET', bots)).json())
  return items[0]?.siteId ?? ''
}

async function change(settings: object): Promise<void> {
  const response = await call(docent, 'PATCH', `${bots}/slack`, settings)
  if (!response.ok) throw new Error(await response.text())
}

const now = () => Math.floor(Date.now() / 1_000)

function deliver(body: string, { to = docent, headers = signForSlack(body, now()) } = {}): Promise<Response> {
  const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
  const path = `/webhooks/bots/slack/${siteId}`
  return fetch(to.url + path, { method: 'POST', headers: { 'content-type': type, ...headers }, body })
}

let clock = 1_771_287_300
/** A message at a new time. */
function say(text: string, event: Record<string, unknown> = {}, envelope: Record<string, unknown> = {}) {
  const ts = `${++clock}.743569`
  const body = slackEvent({ text, ts, ...event }, { event_id: `Ev${clock}`, ...envelope })
  return { ts, body, sent: deliver(body) }
}

const mention = `<@${slackBotUser}>`
const question = `${mention} What does the code E-42 mean?`
const answerIn = (thread: string) =>
  waitFor(() => slack.messages.find((each) => each.thread === thread && each.buttons['helpful'] !== undefined))
const messagesIn = (thread: string) => slack.messages.filter((each) => each.thread === thread)

it('answers a mention in its thread once, however often and in whichever form it is delivered', async () => {
  const { ts, body, sent } = say(question, { type: 'app_mention' })
  const asMessage = slackEvent({ text: question, ts }, { event_id: 'EvOther' })

  const first = await sent
  const others = await Promise.all([deliver(body), deliver(body), deliver(asMessage)])
  const answer = await answerIn(ts)
  await settleBots(docent.url)

  expect([first, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(messagesIn(ts)).toHaveLength(1)
  expect(answer.versions[0]).toBe('Searching the documentation…')
  expect(answer.text).toContain('paper has run out')
  expect(answer.text).toMatch(/\n1\. <http\S+\/guides\/printers#error-e-42\S*\|Printers/)
  expect(answer.args).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false', parse: 'none' })
})

it('goes on in a thread that it takes part in, and leaves other messages alone', async () => {
  const { ts } = say(question, { type: 'app_mention' })
  await answerIn(ts)

  const followUp = say('Which printers does Kiosk print on?', { thread_ts: ts })
  const elsewhere = [
    say('And how wide is the paper?', { thread_ts: '1771287000.000100' }),
    say('How wide is the paper?'),
  ]
  await Promise.all([followUp, ...elsewhere].map(({ sent }) => sent))
  await waitFor(() => (messagesIn(ts).length === 2 ? true : undefined))
  await settleBots(docent.url)

  expect(messagesIn(ts)[1]?.text).toContain('80 mm')
  expect(elsewhere.flatMap((each) => messagesIn(each.ts))).toEqual([])
  expect(messagesIn('1771287000.000100')).toEqual([])
})

it('answers direct messages, unless the owner has turned that off', async () => {
  const direct = { channel: 'D0DIRECT01', channel_type: 'im' }
  const { ts } = say('What does the code E-42 mean?', direct)
  await answerIn(ts)

  await change({ directMessages: false })
  const refused = say('What does the code E-42 mean?', direct)
  await refused.sent
  await settleBots(docent.url)

  expect(messagesIn(refused.ts)).toEqual([])
})

it('shows the answer to a command only to who asked, who may share it once', async () => {
  const reply = await deliver(slackCommand('What does the code E-42 mean?', { trigger_id: '1.2.share' }))
  const answer = await waitFor(() => slack.responses.find(({ buttons }) => buttons['share'] !== undefined))
  const share = slackAction({ action_id: 'share', value: answer.buttons['share'] })
  await deliver(share)
  await deliver(share)
  await settleBots(docent.url)

  expect(await reply.json()).toMatchObject({ response_type: 'ephemeral' })
  expect(answer.message).toMatchObject({ response_type: 'ephemeral' })
  const shared = slack.responses.filter(({ message }) => message['response_type'] === 'in_channel')
  expect(shared).toHaveLength(1)
  expect(shared[0]?.text).toMatch(/^> What does the code E-42 mean\?[^]*paper has run out/)
})

it('stores whether an answer helped and why not, for the person who pressed, under a hash', async () => {
  const { ts } = say(question, { type: 'app_mention' })
  const { buttons } = await answerIn(ts)

  await deliver(
    slackAction({ action_id: 'not_helpful', value: buttons['not_helpful'], action_ts: '1771287400.000001' }),
  )
  const asked = await waitFor(() => slack.responses.find((each) => each.buttons['reason'] !== undefined))
  const selected_option = { value: asked.buttons['reason']?.replace('incorrect', 'outdated') }
  await deliver(
    slackAction({ type: 'static_select', action_id: 'reason', selected_option, action_ts: '1771287401.000001' }),
  )
  await settleBots(docent.url)

  const { items } = (await (await call(docent, 'GET', '/admin/v1/feedback')).json()) as { items: { fp: string }[] }
  expect(items).toMatchObject([{ messageId: buttons['helpful'], helpful: false, reason: 'outdated' }])
  expect(items[0]?.fp).toMatch(/^[\w-]{43}$/)
  const insights = await call(docent, 'GET', '/admin/v1/insights/questions?caller=slack')
  expect(await insights.text()).toContain('What does the code E-42 mean?')
})

it('answers questions in channels that ask for it, and tells only the named channel of those without an answer', async () => {
  await change({ channels: [{ id: 'C0GENERAL1', autoReply: true }], unansweredChannel: 'C0EDITORS1' })

  const answered = say('What does the code E-42 mean?')
  const unanswered = say('Which <!channel> zebra breeds eat <@U0ASKER001> licorice?')
  const talk = say('The code E-42 again.')
  await answerIn(answered.ts)
  await Promise.all([unanswered, talk].map(({ sent }) => sent))
  const notice = await waitFor(() => slack.messages.find(({ channel }) => channel === 'C0EDITORS1'))
  await settleBots(docent.url)

  expect([...messagesIn(unanswered.ts), ...messagesIn(talk.ts)]).toEqual([])
  expect(messagesIn(answered.ts)[0]?.versions).toHaveLength(1)
  expect(notice.text).toContain('zebra breeds')
  expect(notice.text).not.toMatch(/<[!@]/)
  expect(notice.text).toContain('/insights?view=gaps|Gaps>')
})

it('answers from pages of a group only in channels that have the group and are not shared', async () => {
  const groups = ['partners']
  await change({ channels: [{ id: 'C0PARTNER1', groups }, { id: 'C0SHARED01', groups }, { id: 'C0GENERAL1' }] })
  slack.shared.add('C0SHARED01')
  const ask = (channel: string, envelope = {}) =>
    say(`${mention} What commission do partners get on a zeppelin ride?`, { type: 'app_mention', channel }, envelope)

  const trusted = await answerIn(ask('C0PARTNER1').ts)
  const others = await Promise.all([
    answerIn(ask('C0GENERAL1').ts),
    answerIn(ask('C0SHARED01').ts),
    answerIn(ask('C0PARTNER1', { is_ext_shared_channel: true }).ts),
  ])
  const notListed = ask('C0OTHER001')
  await notListed.sent
  await settleBots(docent.url)

  expect(trusted.text).toContain('seven percent')
  for (const { text } of others) expect(text).not.toContain('seven percent')
  expect(messagesIn(notListed.ts)).toEqual([])
})

it('says when a user has asked too much', async () => {
  await change({ userPerHour: 1 })
  const event = { type: 'app_mention', user: 'U0MANY0001' }
  await answerIn(say(question, event).ts)

  const { ts } = say(question, event)
  const refusal = await waitFor(() => messagesIn(ts)[0])

  expect(refusal.text).toMatch(/^This user has used its 1 requests of this hour\./)
})

it('refuses what Slack has not signed within five minutes, and answers its challenge', async () => {
  const body = JSON.stringify({ type: 'url_verification', token: 'legacy', challenge: '3eZbrw1aB' })
  const refused = [
    signForSlack(body, now(), 'another secret'),
    signForSlack(body, now() - 301),
    signForSlack(body, now() + 301),
    signForSlack(`${body} `, now()),
    {},
  ]

  const replies = await Promise.all(refused.map((headers) => deliver(body, { headers })))
  const unknown = await fetch(`${docent.url}/webhooks/bots/slack/site_0`, {
    method: 'POST',
    headers: signForSlack(body, now()),
    body,
  })

  expect([...replies, unknown].map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401])
  expect(await (await deliver(body)).json()).toEqual({ challenge: '3eZbrw1aB' })
})

it('ignores bots, itself, edits and other workspaces', async () => {
  const before = slack.messages.length
  const ignored = [
    say(question, { bot_id: 'B0OTHER001', subtype: 'bot_message' }),
    say(question, { bot_id: 'B0OTHER001' }),
    say(question, { user: slackBotUser }),
    say(question, { subtype: 'message_changed', message: { text: question, user: 'U0ASKER001' } }),
    say(question, { edited: { user: 'U0ASKER001', ts: '1771287300.000000' } }),
    say(question, { type: 'app_mention' }, { team_id: 'T0OTHER001' }),
  ]

  const replies = await Promise.all(ignored.map(({ sent }) => sent))
  await settleBots(docent.url)

  expect(replies.map(({ status }) => status)).toEqual(ignored.map(() => 200))
  expect(slack.messages).toHaveLength(before)
})

it('posts one message if the connection breaks after Slack has taken it, and waits when Slack asks for it', async () => {
  slack.faults.push({ method: 'chat.postMessage', reply: 'cut' })
  slack.faults.push({ method: 'chat.update', reply: { status: 429, headers: { 'retry-after': '1' }, json: {} } })

  const { ts } = say(question, { type: 'app_mention' })
  const answer = await answerIn(ts)
  await settleBots(docent.url)

  expect(answer.text).toContain('paper has run out')
  expect(messagesIn(ts)).toHaveLength(1)
})

it('refuses a token that Slack does not know, and keeps the one that works', async () => {
  const response = await call(docent, 'PUT', `${bots}/slack`, { token: 'xoxb-wrong', signingSecret })

  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    code: 'chat_refused',
    error: 'Slack refused auth.test: invalid_auth.',
  })
  expect((await call(docent, 'POST', `${bots}/slack/check`)).status).toBe(200)
})

it('finishes the same message after it was stopped in the middle of an answer', async () => {
  const env = { DOCENT_SLACK_URL: slack.url }
  const model = createGatedModel()
  const first = await startDocent({ env, model })
  const { folder } = first
  await connect(first)
  const ts = '1771290000.000100'
  const body = slackEvent({ type: 'app_mention', text: `${mention} Tell me about printers`, ts })

  await deliver(body, { to: first })
  await waitFor(() => messagesIn(ts)[0] && model.calls[0])
  await first.stop()
  model.open()
  const second = await startDocent({ env, model, folder })
  const answer = await answerIn(ts)
  const inThread = messagesIn(ts).length
  await deliver(slackEvent({ text: 'And then?', ts: '1771290001.000100', thread_ts: ts }), { to: second })
  await settleBots(second.url)
  await second.remove()

  expect(answer.text).toContain('first second.')
  expect(inThread).toBe(1)
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toMatch(/Tell me about printers[^]*first second\.[^]*And then\?/)
})

it('names no Slack user, channel or workspace in what is stored for good', async () => {
  await settleBots(docent.url)
  const threads = await (await call(docent, 'GET', '/admin/v1/threads?site=docs')).text()

  for (const id of ['U0ASKER001', 'C0GENERAL1', slackTeam]) expect(threads).not.toContain(id)
})
