import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import type { ForgeKind } from '../../src/contract/code-hosts.ts'
import { siteWebhookSchema } from '../../src/contract/source-check.ts'
import { receivedWebhookListSchema } from '../../src/contract/webhooks.ts'
import { finishJob, getJob, runJob } from '../support/agent-jobs.ts'
import { type ConnectedDocent, startConnectedDocent } from '../support/connected-forge.ts'
import { testForges, webhookKinds } from '../support/forge-kinds.ts'
import { everything, removeGithubTemplate, startGithubServer } from '../support/github-server.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { assistantKey } from '../support/start-docent.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

/** A forge with a repository whose users are dora, who may write, rita, who may read, and the stranger sten. */
interface Forge {
  kind: ForgeKind
  origin: string
  path: string
  location: string
  token: string
  stop(): Promise<unknown>
}

interface Comment {
  id: number
  number: number
  author: string
  body: string
}

async function startGithub(): Promise<Forge> {
  const { origin, path, addToken, stop } = await startGithubServer()
  return { kind: 'github', origin, path, location: `${origin}/${path}`, token: addToken(everything), stop }
}

/** As each kind reports a comment. */
const payloads: Record<ForgeKind, (forge: Forge, comment: Comment) => { event: string; payload: object }> = {
  github: ({ path, location }, { id, number, author, body }) => ({
    event: 'issue_comment',
    payload: {
      action: 'created',
      issue: { number, pull_request: {} },
      comment: { id, body, user: { login: author, type: 'User' } },
      repository: { full_name: path, html_url: location, default_branch: 'main' },
    },
  }),
  gitea: ({ path, location }, { id, number, author, body }) => ({
    event: 'issue_comment',
    payload: {
      action: 'created',
      is_pull: true,
      issue: { number },
      comment: { id, body, user: { login: author } },
      repository: { full_name: path, html_url: location, default_branch: 'main' },
    },
  }),
  gitlab: ({ path, location }, { id, number, author, body }) => ({
    event: 'Note Hook',
    payload: {
      object_kind: 'note',
      user: { username: author },
      project: { path_with_namespace: path, web_url: location, default_branch: 'main' },
      object_attributes: { id, note: body, noteable_type: 'MergeRequest', system: false, action: 'create' },
      merge_request: { iid: number },
    },
  }),
  bitbucket: ({ path }, { id, number, author, body }) => {
    const [key = '', slug = ''] = path.split('/')
    const repository = { slug, project: { key } }
    const comment = { id, text: body, author: { name: author, type: 'NORMAL' } }
    return {
      event: 'pr:comment:added',
      payload: { pullRequest: { id: number, toRef: { repository } }, comment },
    }
  },
}

let docent: ConnectedDocent
beforeAll(async () => {
  docent = await startConnectedDocent({ env: { DOCENT_POLL_MINUTES: '0' } })
})
afterAll(async () => {
  await docent.remove()
  await removeGithubTemplate()
})

const request = '@docent Replace "New" by "Newest" on every page.'

describe.each(Object.entries({ github: startGithub, ...testForges }))('a comment on %s', (slug, start) => {
  let forge: Forge
  let job: Awaited<ReturnType<typeof runJob>>
  let webhook: { url: string; secret: string }
  let comments = 0

  beforeAll(async () => {
    forge = await start()
    const { kind, location, origin, token } = forge
    const source = { kind, location, ...(kind !== 'github' && new URL(origin).pathname !== '/' && { origin }) }
    const made = await docent.post('/admin/v1/sites', { slug, name: slug, source, credential: { token } }, asAdmin)
    if (made.status !== 201) throw new Error(await made.text())
    while ((await docent.readSite(slug)).generation === null) await wait(50)
    job = await runJob(docent, 'Replace "Old" by "New" on every page.', { site: slug })
    const shown = await docent.post(`/admin/v1/sites/${slug}/webhook`, {}, asAdmin)
    webhook = siteWebhookSchema.parse(await shown.json())
  })
  afterAll(async () => void (await forge.stop()))

  async function send(author: string, { secret = webhook.secret, body = request, tampered = '' } = {}) {
    const number = Number(/\d+$/.exec(job.prLink ?? '')?.[0])
    const { event, payload } = payloads[forge.kind](forge, { id: 500 + comments++, number, author, body })
    const bytes = new TextEncoder().encode(JSON.stringify(payload))
    const deliveryId = randomUUID()
    const headers = webhookKinds[forge.kind].sign({ body: bytes, secret, event, deliveryId, at: Date.now() })
    const sent = tampered === '' ? bytes : JSON.stringify(payload).replace(author, tampered)
    const reply = await fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: sent,
    })
    return { status: reply.status, deliveryId }
  }

  async function outcomeOf(deliveryId: string) {
    for (;;) {
      const list = await docent.get(`/admin/v1/sites/${slug}/webhook-deliveries?limit=200`, asAdmin)
      const found = receivedWebhookListSchema
        .parse(await list.json())
        .items.find((each) => each.deliveryId === deliveryId)
      if (found !== undefined && found.state !== 'queued') return { state: found.state, outcome: found.outcome }
      await wait(25)
    }
  }

  const readState = async () => {
    const { status, updatedAt, usage } = await getJob(docent, job.id)
    const { jobs } = (await (await docent.get('/v2/agent/default/jobs', asAdmin)).json()) as { jobs: unknown[] }
    return { status, updatedAt, usage, jobs: jobs.length }
  }

  it.each([['rita'], ['sten'], ['nobody'], ['../dora'], ['Dora/'], ['']])(
    'by %j, who may not write, starts nothing',
    async (author) => {
      const before = await readState()

      const { status, deliveryId } = await send(author)

      expect(status).toBe(202)
      expect((await outcomeOf(deliveryId)).state).toBe('ignored')
      expect(await readState()).toEqual(before)
    },
  )

  it('starts nothing and is not kept without the secret, or changed after it was signed', async () => {
    const before = await readState()

    const replies = [
      await send('dora', { secret: Buffer.from('another-secret-of-32-characters!').toString('base64url') }),
      await send('sten', { tampered: 'dora' }),
    ]

    expect(replies.map(({ status }) => status)).toEqual([401, 401])
    const list = await (await docent.get(`/admin/v1/sites/${slug}/webhook-deliveries?limit=200`, asAdmin)).text()
    for (const { deliveryId } of replies) expect(list).not.toContain(deliveryId)
    expect(await readState()).toEqual(before)
  })

  it('by somebody who may write starts a follow-up', async () => {
    const { deliveryId } = await send('dora')

    expect(await outcomeOf(deliveryId)).toMatchObject({ state: 'done' })
    expect(await finishJob(docent, job.id)).toMatchObject({ status: 'completed', prLink: job.prLink })
  })
})

it('a comment on the built-in host is taken from those who may write alone', async () => {
  const job = await runJob(docent, 'Replace "Docent" by "The Docent" on every page.', { site: 'docs' })
  const { items } = (await (await docent.get('/admin/v1/pull-requests?limit=1', asAdmin)).json()) as {
    items: { id: string }[]
  }
  const made = await docent.post('/admin/v1/keys', { kind: 'admin', name: 'reader', scopes: ['read'] }, asAdmin)
  const { secret } = keyCreatedSchema.parse(await made.json())
  const before = await getJob(docent, job.id)
  const address = `/admin/v1/pull-requests/${items[0]?.id}/comments`

  const replies = [
    await docent.post(address, { body: request }, { authorization: `Bearer ${secret}` }),
    await docent.post(address, { body: request }, { authorization: `Bearer ${assistantKey}` }),
    await docent.post('/webhooks/builtin', { body: request }),
  ]

  expect(replies.map(({ status }) => status)).toEqual([403, 403, 404])
  expect(await getJob(docent, job.id)).toEqual(before)
})
