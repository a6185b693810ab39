import { describe, expect, it } from 'vitest'
import { toCredential } from '../../../test/support/forge-deps.ts'
import { createForgeHarness } from '../../../test/support/forge-harness.ts'
import { branchOff } from '../../../test/support/forge-work.ts'
import { startGitlabServer } from '../../../test/support/gitlab-server.ts'
import { declareCodeHostTests } from '../../../test/codehost/code-host.conformance.ts'
import { declareForgeFaultTests } from '../../../test/codehost/forge-faults.conformance.ts'
import { declareForgePushFaultTests } from '../../../test/codehost/forge-push-faults.conformance.ts'

// Runs against our own server, which implements GitLab's documentation, never against a real GitLab.

const { signal } = new AbortController()
const path = 'acme/handbook/docs'
const { start, open } = createForgeHarness({ kind: 'gitlab', path, token: 'glpat-secret' }, startGitlabServer)

declareCodeHostTests(open, { checks: 'commit statuses are not written: the checks stand in the description' })

describe('when something goes wrong,', () => {
  declareForgeFaultTests(start, {
    otherToken: 'glpat-other',
    lacksScope: {
      reply: {
        status: 403,
        body: { error: 'insufficient_scope', error_description: 'It requires higher privileges.', scope: 'api' },
      },
      scope: '"api"',
    },
    routes: {
      repository: /^GET \/projects\/[^/]+$/,
      list: /^GET \/projects\/\d+\/merge_requests$/,
      open: /^POST \/projects\/\d+\/merge_requests$/,
      comment: /^POST .*\/notes$/,
    },
  })
  declareForgePushFaultTests(start, { otherPath: 'acme/manuals/docs' })
})

async function openMerge(
  { server, host }: Awaited<ReturnType<typeof start>>,
  change: { title?: string; isDraft?: boolean } = {},
) {
  await branchOff(server.repository)
  const text = { title: 'A change', body: 'Why.', isDraft: false, ...change }
  return host.openPullRequest({ branch: 'topic', base: null, jobId: 'job_1', checks: [], ...text }, signal)
}

it.each(['glpat-secret', 'a-token-of-an-application', 'glpat-in-another-form'])(
  'sends the token %s in a header in which GitLab takes it',
  async (token) => {
    const { host } = await start(token)

    expect((await host.readSource(signal)).repository).toBe(path)
  },
)

it.each(['squash', 'fast-forward'] as const)('knows the commit of a merge by %s', async (method) => {
  const started = await start()
  const { server, host } = started
  const { id } = await openMerge(started)

  await server.merge(Number(id), method)

  const { state, mergeCommit } = await host.readPullRequest(id, signal)
  expect(state).toBe('merged')
  expect(mergeCommit).toBe(server.repository.tip('main'))
})

it.each(['Draft: A change', '[Draft] A change', 'draft: [WIP] A change'])(
  'reads %j as the draft "A change"',
  async (title) => {
    const opened = await openMerge(await start(), { title, isDraft: true })

    expect(opened).toMatchObject({ title: 'A change', isDraft: true })
  },
)

it('reports whether a draft merges cleanly, whatever else blocks its merge', async () => {
  const started = await start()
  const { host } = started
  const { id } = await openMerge(started, { isDraft: true })
  await host.readPullRequest(id, signal)

  expect((await host.readPullRequest(id, signal)).isMergeable).toBe(true)
})

it('reads the roles of members as what they may do', async () => {
  const { host } = await start()

  const read = (user: string) => host.readPermission(user, signal)

  expect([
    await read('olga'),
    await read('@Dora'),
    await read('rita'),
    await read('gita'),
    await read('nobody'),
  ]).toEqual(['admin', 'write', 'read', 'none', 'none'])
})

it('asks nobody for a review if one of them is unknown', async () => {
  const started = await start()
  const { server, host } = started
  const { id } = await openMerge(started)

  await expect(host.requestReviewers({ id, reviewers: ['dora', 'nobody'] }, signal)).rejects.toThrow(/no user "nobody"/)

  expect(server.look(1).reviewers).toEqual([])
})

it('reports a token with insufficient scopes', async () => {
  const { server, host } = await start()
  server.setScopes(['read_api', 'read_repository'])

  const missing = (await host.checkAccess(signal)).filter(({ state }) => state === 'missing')

  expect(missing).toHaveLength(1)
  expect(missing[0]).toMatchObject({ permission: 'Scope: api' })
  expect(missing[0]?.message).toContain('read_api, read_repository')
})

it('accepts no App credential', async () => {
  const { deps, host } = await start()
  deps.stored.splice(0, 1, { kind: 'github-app', appId: '1', privateKey: '', installationId: null })

  await expect(host.readSource(signal)).rejects.toThrow(/accepts only tokens/)
  deps.stored.splice(0, 1, toCredential('glpat-secret'))
})
