import { describe, expect, it } from 'vitest'
import { bitbucketSamples } from '../../../test/support/bitbucket-samples.ts'
import { startBitbucketServer } from '../../../test/support/bitbucket-server.ts'
import { createForgeHarness } from '../../../test/support/forge-harness.ts'
import { branchOff } from '../../../test/support/forge-work.ts'
import { declareCodeHostTests } from '../../../test/codehost/code-host.conformance.ts'
import { findForge } from '../find-forge.ts'
import { declareForgeFaultTests } from '../../../test/codehost/forge-faults.conformance.ts'
import { cloneAddress, readForgeLocation } from '../forge/forge-location.ts'
import { declareForgePushFaultTests } from '../../../test/codehost/forge-push-faults.conformance.ts'
import { bitbucketWebhook } from './bitbucket-webhook.ts'

// Runs against our own server, which implements Bitbucket Data Center's documentation, never against a real Bitbucket.

const { signal } = new AbortController()
const path = 'DOCS/handbook'
const { start, open } = createForgeHarness({ kind: 'bitbucket', path, token: 'secret' }, startBitbucketServer)

declareCodeHostTests(open, {
  checks: 'builds belong to commits: the checks stand in the description',
  labels: 'pull requests have no labels there',
})

describe('when something goes wrong,', () => {
  declareForgeFaultTests(start, {
    otherToken: 'other',
    lacksScope: {
      reply: {
        status: 401,
        body: {
          errors: [
            {
              context: null,
              message: 'You are not permitted to access this resource',
              exceptionName: 'com.atlassian.bitbucket.AuthorisationException',
            },
          ],
        },
      },
      scope: '"Repository write"',
    },
    emptyList: { values: [], isLastPage: true },
    routes: {
      repository: /^GET \/projects\/[^/]+\/repos\/[^/]+$/,
      list: /^GET .*\/pull-requests$/,
      open: /^POST .*\/pull-requests$/,
      comment: /^POST .*\/comments$/,
    },
  })
  declareForgePushFaultTests(start, {
    otherPath: 'GUIDES/manual',
    lacksCommitter: 'the interface changes one file with each commit',
  })
})

async function openPull({ server, host }: Awaited<ReturnType<typeof start>>, change: { isDraft?: boolean } = {}) {
  await branchOff(server.repository)
  const text = { title: 'A change', body: 'Why.', isDraft: false, ...change }
  return host.openPullRequest({ branch: 'topic', base: null, jobId: 'job_1', checks: [], ...text }, signal)
}

it('repeats an update after a concurrent one, and keeps the other fields', async () => {
  const started = await start()
  const { server, host } = started
  const { id } = await openPull(started, { isDraft: true })
  await host.requestReviewers({ id, reviewers: ['@dora'] }, signal)
  server.outdate(1)

  const updated = await host.updatePullRequest({ id, title: 'Better' }, signal)

  expect(updated).toMatchObject({ title: 'Better', body: 'Why.', isDraft: true })
  expect(server.look(1).reviewers).toEqual(['dora'])
})

it('closes a pull request that somebody else is changing', async () => {
  const started = await start()
  const { server, host } = started
  const { id } = await openPull(started)
  server.outdate(1)

  expect((await host.closePullRequest(id, signal)).state).toBe('closed')
})

it('leaves an ended pull request unchanged if Bitbucket rejects updates to it', async () => {
  const started = await start()
  const { server, host } = started
  const { id } = await openPull(started)
  await host.closePullRequest(id, signal)
  server.fail(/^PUT/, { status: 409, body: { errors: [{ message: 'This pull request has been declined.' }] } })

  expect(await host.updatePullRequest({ id, title: 'Later' }, signal)).toMatchObject({
    state: 'closed',
    title: 'A change',
  })
})

it('finds the oldest of several comments with a mark, beyond the first page', async () => {
  const started = await start()
  const { host } = started
  const { id } = await openPull(started)
  const first = await host.comment({ id, body: '<mark> first' }, signal)
  for (let count = 0; count < 110; count++) await host.comment({ id, body: `Comment ${count}` }, signal)
  await host.comment({ id, body: '<mark> second' }, signal)

  expect(await host.findComment({ id, mark: '<mark>' }, signal)).toEqual(first)
})

it('asks nobody for a review who does not see the repository', async () => {
  const started = await start()
  const { server, host } = started
  const { id } = await openPull(started)

  await expect(host.requestReviewers({ id, reviewers: ['sten'] }, signal)).rejects.toThrow(
    /Not all of these can review: sten/,
  )

  expect(server.look(1).reviewers).toEqual([])
})

it('reads what users may do, wherever their permission was granted', async () => {
  const { host } = await start()

  const read = (user: string) => host.readPermission(user, signal)

  expect([await read('olga'), await read('@Dora'), await read('rita'), await read('sten'), await read('o')]).toEqual([
    'admin',
    'write',
    'read',
    'none',
    'none',
  ])
})

it('reports a token that may only read', async () => {
  const { server, host } = await start()
  server.setPermission('REPO_READ')

  const missing = (await host.checkAccess(signal)).filter(({ state }) => state === 'missing')

  expect(missing).toMatchObject([{ permission: 'Repository write', message: expect.stringContaining(path) }])
})

it('is found by its address, without a token', async () => {
  const { server } = await start()

  const found = await findForge({ fetch }, `${server.origin}/projects/DOCS/repos/handbook/browse`, signal)

  expect(found).toEqual({ kind: 'bitbucket', origin: server.origin, path })
})

describe('the address of a repository', () => {
  const origin = 'https://bitbucket.example.com'

  it.each([
    ['projects/DOCS/repos/handbook', origin, path],
    ['projects/DOCS/repos/handbook/browse', origin, path],
    ['scm/DOCS/handbook.git', origin, path],
    ['users/jane/repos/notes', origin, '~jane/notes'],
    ['scm/~jane/notes.git', origin, '~jane/notes'],
    ['git/projects/DOCS/repos/handbook', `${origin}/git`, path],
  ])('%s is read', (address, where, repository) => {
    const place = readForgeLocation({ kind: 'bitbucket', location: `${origin}/${address}` })

    expect(place).toEqual({ kind: 'bitbucket', origin: where, path: repository })
  })

  it.each(['DOCS/handbook', 'projects/DOCS', 'projects/DOCS/repos/handbook/pull-requests', 'scm/DOCS'])(
    '%s is refused with an example',
    (address) => {
      const read = () => readForgeLocation({ kind: 'bitbucket', location: `${origin}/${address}` })

      expect(read).toThrow('It looks like https://bitbucket.example.com/projects/KEY/repos/name.')
    },
  )

  it('is another for git', () => {
    const place = { kind: 'bitbucket', origin, path: '~jane/notes' } as const

    expect(cloneAddress(place)).toBe(`${origin}/scm/~jane/notes.git`)
  })
})

describe('the payloads that Bitbucket documents', () => {
  it.each(bitbucketSamples)('$name', ({ event, payload, expected }) => {
    const headers = new Headers({ 'x-event-key': event })
    const body = Buffer.from(JSON.stringify(payload))

    expect(bitbucketWebhook.readDelivery({ headers, body }).event).toEqual(expected)
  })
})
