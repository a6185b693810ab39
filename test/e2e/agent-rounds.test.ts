import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJob, finishJob, readEvents, runJob, sendToJob } from '../support/agent-jobs.ts'
import {
  type AnthropicServer,
  type MessagesReply,
  type MessagesRequest,
  startAnthropicServer,
} from '../support/anthropic-server.ts'
import { cloneRepository, type GitClient } from '../support/git-client.ts'
import { addressOf, asAdmin, openPullRequest, viewPullRequest } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const model = 'anthropic/claude-sonnet-4-5'

let server: AnthropicServer
let docent: Docent
let client: GitClient
let script: (request: MessagesRequest) => MessagesReply

beforeAll(async () => {
  server = await startAnthropicServer((request) => script(request))
  docent = await startDocent({
    env: {
      DOCENT_AGENT_MODEL: model,
      DOCENT_AGENT_MODEL_BASE_URL: server.url,
      DOCENT_AGENT_MODEL_API_KEY: 'key-of-test',
      DOCENT_AGENT_MODEL_RETRIES: '0',
    },
  })
  client = await cloneRepository(addressOf(docent))
  await changeMain('rules', { 'rules.mdx': 'Old.', 'rules2.mdx': 'Old.', 'rules3.mdx': 'Old.' })
})
afterAll(async () => {
  await docent.remove()
  await server.close()
  await client.remove()
})

const call = (tool: string, input: object): MessagesReply => ({ calls: [{ tool, input }] })
const finish = (input: object = {}) => call('finish', { title: 'Change it', summary: 'As asked.', ...input })
/** Plays one list of steps in each job, by a word of its newest request; then finishes. */
const play = (parts: Record<string, readonly MessagesReply[]>) => {
  const played = new Map<string, number>()
  script = ({ messages }) => {
    const said = JSON.stringify(messages)
    const part = Object.keys(parts).toSorted((one, other) => said.lastIndexOf(other) - said.lastIndexOf(one))[0] ?? ''
    const step = played.get(part) ?? 0
    played.set(part, step + 1)
    return parts[part]?.[step] ?? finish()
  }
}
const newest = () => JSON.stringify(server.requests.at(-1)?.messages)

async function readFile(branch: string, path: string): Promise<string> {
  await client.git('fetch', '--quiet', 'origin')
  return client.git('show', `origin/${branch}:${path}`)
}

async function merge(job: { pullRequest: { id: string } | null }): Promise<number> {
  return (await docent.post(`/admin/v1/pull-requests/${job.pullRequest?.id}/merge`, {}, asAdmin)).status
}

/** Another change of the default branch. */
async function changeMain(branch: string, texts: Record<string, string>): Promise<void> {
  await client.git('fetch', '--quiet', 'origin')
  await client.git('checkout', '--quiet', '-b', branch, 'origin/main')
  for (const [path, text] of Object.entries(texts)) await client.write(path, page('Rules', text))
  await client.commit(`Change ${branch}`)
  await client.git('push', '--quiet', 'origin', branch)
  expect(await merge({ pullRequest: await openPullRequest(docent, { branch }) })).toBe(200)
}

const page = (title: string, ...lines: string[]) => `---\ntitle: ${title}\n---\n\n${lines.join('\n\n')}\n`

it('merges two jobs that each add a page to the same group at the same time', async () => {
  const add = (name: string) =>
    call('write', { path: `guides/${name}.mdx`, content: page(name, 'Text.'), listed: true })
  play({ '#alpha': [add('alpha')], '#beta': [add('beta')] })

  const created = [await createJob(docent, 'Add #alpha'), await createJob(docent, 'Add #beta')]
  const jobs = await Promise.all(created.map(({ id }) => finishJob(docent, id)))
  const merged = [await merge(jobs[0] as never), await merge(jobs[1] as never)]

  expect(jobs).toMatchObject([{ status: 'completed' }, { status: 'completed' }])
  expect(merged).toEqual([200, 200])
  const navigation = await readFile('main', 'docs.json')
  expect(navigation.match(/"guides\/(?:alpha|beta)"/g)?.toSorted()).toEqual(['"guides/alpha"', '"guides/beta"'])
})

it('begins a follow-up with what the rounds before did, on a branch that has the newest base', async () => {
  play({
    '#one': [
      call('write', { path: 'guides/one.mdx', content: page('One', 'First.'), listed: true }),
      finish({ summary: 'Chose the Guides group.', notDone: 'The picture.' }),
    ],
    '#two': [call('read', { path: 'news.mdx' })],
  })
  const job = await runJob(docent, 'Add #one')
  await changeMain('news', { 'news.mdx': 'New on main.' })

  await sendToJob(docent, job.id, 'message', { prompt: 'Now #two' })
  const followed = await finishJob(docent, job.id)

  expect(followed).toMatchObject({ status: 'completed', prLink: job.prLink })
  const sent = newest()
  for (const known of ['Add #one', 'Chose the Guides group.', 'guides/one.mdx', 'I left undone: The picture.']) {
    expect(sent).toContain(known)
  }
  expect(sent).toContain('New on main.')
  expect(await readFile(job.branch, 'news.mdx')).toContain('New on main.')
  expect(followed.changes.map(({ path }) => path).toSorted()).toEqual(['docs.json', 'guides/one.mdx'])
})

const write = (path: string, ...lines: string[]) => call('write', { path, content: page('Rules', ...lines) })

it('takes back what a round did, even code of the base that it removed, but not lines that have changed since', async () => {
  await changeMain('code', { 'code.mdx': 'Value {process.env.OLD} here.', 'code2.mdx': 'Old text.' })
  const edit = (path: string, find: string, replace: string) => call('edit', { path, find, replace })
  play({
    '#strip': [edit('code.mdx', '{process.env.OLD}', 'x')],
    '#back': [call('undo', {})],
    '#word': [edit('code2.mdx', 'Old text.', 'New text.')],
    '#stuck': [call('undo', {}), finish({ notDone: 'It has changed.' })],
  })

  const stripped = await runJob(docent, 'Do #strip.')
  await sendToJob(docent, stripped.id, 'message', { prompt: 'Do #back.' })
  const back = await finishJob(docent, stripped.id)
  const worded = await runJob(docent, 'Do #word.')
  await client.git('fetch', '--quiet', 'origin')
  await client.git('checkout', '--quiet', '-b', 'mine', `origin/${worded.branch}`)
  await client.write('code2.mdx', page('Rules', 'Text of a person.'))
  await client.commit('Change it further')
  await client.git('push', '--quiet', 'origin', `mine:${worded.branch}`)
  await sendToJob(docent, worded.id, 'message', { prompt: 'Do #stuck.' })
  await finishJob(docent, worded.id)

  expect(back).toMatchObject({ status: 'completed', changes: [] })
  expect(newest()).toContain('These files have changed since “Change it”')
  expect(await readFile(worded.branch, 'code2.mdx')).toContain('Text of a person.')
})

it('hands lines that both sides changed to the model, and the host can merge what it made of them', async () => {
  play({
    '#mine': [call('read', { path: 'rules.mdx' }), write('rules.mdx', 'Mine.')],
    '#next': [finish(), write('rules.mdx', 'Theirs and mine.'), finish()],
  })
  const job = await runJob(docent, 'Write #mine')
  await changeMain('theirs', { 'rules.mdx': 'Theirs.' })

  await sendToJob(docent, job.id, 'message', { prompt: 'Go on with #next' })
  const followed = await finishJob(docent, job.id)

  expect(followed).toMatchObject({ status: 'completed', failure: null })
  expect(newest()).toContain('+Mine.')
  expect(await merge(followed)).toBe(200)
  expect(await readFile('main', 'rules.mdx')).toContain('Theirs and mine.')
})

it('resolves in the same round what a base that moves meanwhile brings', async () => {
  play({ '#late': [call('read', { path: 'rules2.mdx' }), write('rules2.mdx', 'Mine.'), finish()] })
  const begin = script
  script = (request) => {
    if (JSON.stringify(request.messages).includes('+Mine.')) {
      script = () => finish()
      return write('rules2.mdx', 'Both.')
    }
    const reply = begin(request)
    const isFirst = request.messages.length === 1
    return isFirst ? { ...reply, waitFor: changeMain('theirs2', { 'rules2.mdx': 'Theirs.' }) } : reply
  }

  const job = await runJob(docent, 'Write #late')

  expect(job).toMatchObject({ status: 'completed', pullRequest: { state: 'open' } })
  expect(await merge(job)).toBe(200)
  expect(await readFile('main', 'rules2.mdx')).toContain('Both.')
})

it('ends as conflicting, with its other edits on the branch, when conflicts are left open', async () => {
  play({
    '#left': [call('read', { path: 'rules3.mdx' }), write('rules3.mdx', 'Mine.')],
    '#more': [
      call('write', { path: 'guides/more.mdx', content: page('More', 'More.'), listed: true }),
      finish(),
      finish(),
    ],
  })
  const job = await runJob(docent, 'Write #left')
  await changeMain('theirs3', { 'rules3.mdx': 'Theirs.' })

  await sendToJob(docent, job.id, 'message', { prompt: 'Add #more' })
  const followed = await finishJob(docent, job.id)

  expect(followed).toMatchObject({ status: 'failed', failure: { code: 'conflicting' }, prLink: job.prLink })
  expect(followed.failure?.message).toContain('rules3.mdx')
  expect(await readFile(job.branch, 'guides/more.mdx')).toContain('More.')
  expect(await readFile(job.branch, 'rules3.mdx')).toContain('Mine.')
  expect(await merge(followed)).toBe(409)
  const events = (await readEvents(docent, job.id)).map(({ event }) => event)
  expect(events).toContainEqual(expect.objectContaining({ type: 'base-merged', conflicts: ['rules3.mdx'] }))
})

it('follows a comment on a pull request of the built-in host once, and answers it with the outcome', async () => {
  play({
    '#page': [call('write', { path: 'guides/asked.mdx', content: page('Asked', 'Long text.'), listed: true })],
    '#short': [call('write', { path: 'guides/asked.mdx', content: page('Asked', 'Short.') })],
  })
  const job = await runJob(docent, 'Write #page')
  const comments = `/admin/v1/pull-requests/${job.pullRequest?.id}/comments`

  await docent.post(comments, { body: 'I like it, says docent@example.com.' }, asAdmin)
  await docent.post(comments, { body: 'Make it #short', asksAgent: true }, asAdmin)
  const answer = () => viewPullRequest(job.prLink ?? '').then((view) => view.comments.map(({ body }) => body))
  while (!(await answer()).some((body) => body.includes('**Done:**'))) await wait(50)
  const followed = await finishJob(docent, job.id)

  expect(await answer()).toMatchObject([
    'I like it, says docent@example.com.',
    '@docent Make it #short',
    expect.stringContaining('**Done:**'),
  ])
  expect(followed).toMatchObject({ status: 'completed', prompt: 'Make it #short' })
  expect(await readFile(job.branch, 'guides/asked.mdx')).toContain('Short.')
})
