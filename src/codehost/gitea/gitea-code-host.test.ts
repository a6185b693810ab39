import { describe, expect, it } from 'vitest'
import { createForgeHarness } from '../../../test/support/forge-harness.ts'
import { branchOff } from '../../../test/support/forge-work.ts'
import { startGiteaServer } from '../../../test/support/gitea-server.ts'
import { declareCodeHostTests } from '../../../test/codehost/code-host.conformance.ts'
import { declareForgeFaultTests } from '../../../test/codehost/forge-faults.conformance.ts'
import { declareForgePushFaultTests } from '../../../test/codehost/forge-push-faults.conformance.ts'

// Runs against our own server, which implements Gitea's documentation, never against a real Gitea or Forgejo.

const { signal } = new AbortController()
const { start, open } = createForgeHarness({ kind: 'gitea', path: 'acme/docs', token: 'secret' }, startGiteaServer)

declareCodeHostTests(open, { checks: 'commit statuses are not written: the checks stand in the description' })

describe('when something goes wrong,', () => {
  declareForgeFaultTests(start, {
    otherToken: 'other',
    lacksScope: {
      reply: {
        status: 403,
        body: {
          message:
            'token does not have at least one of required scope(s), required=[write:repository], token scope=read:user',
        },
      },
      scope: '"write:repository"',
    },
    routes: {
      repository: /^GET \/repos\/[^/]+\/[^/]+$/,
      list: /^GET \/repos\/[^/]+\/[^/]+\/pulls$/,
      open: /^POST \/repos\/[^/]+\/[^/]+\/pulls$/,
      comment: /^POST .*\/comments$/,
    },
  })
  declareForgePushFaultTests(start, { otherPath: 'umbrella/manuals' })
})

async function openPull({ server, host }: Awaited<ReturnType<typeof start>>, change: { isDraft?: boolean } = {}) {
  await branchOff(server.repository)
  const text = { title: 'A change', body: 'Why.', isDraft: false, ...change }
  return host.openPullRequest({ branch: 'topic', base: null, jobId: 'job_1', checks: [], ...text }, signal)
}

it('finds the pull request of a deleted branch', async () => {
  const started = await start()
  const { server, host } = started
  const { id, head } = await openPull(started)
  await host.closePullRequest(id, signal)
  await server.repository.removeBranch('topic')

  const found = await host.findPullRequest({ branch: 'topic' }, signal)

  expect(found).toMatchObject({ id, state: 'closed', head })
})

it('does not report whether a draft merges, because Gitea reports drafts like conflicts', async () => {
  const started = await start()
  const { host } = started
  const { id } = await openPull(started, { isDraft: true })
  await host.readPullRequest(id, signal)

  expect(await host.readPullRequest(id, signal)).toMatchObject({ isDraft: true, title: 'A change', isMergeable: null })
})

it('does not mistake a pending check of Gitea for a conflict', async () => {
  const started = await start()
  const { host } = started
  const { id } = await openPull(started)

  expect((await host.readPullRequest(id, signal)).isMergeable).toBeNull()
  expect((await host.readPullRequest(id, signal)).isMergeable).toBe(true)
})

it('reads the rights of collaborators', async () => {
  const { host } = await start()

  const read = (user: string) => host.readPermission(user, signal)

  expect([await read('olga'), await read('@dora'), await read('rita'), await read('nobody')]).toEqual([
    'admin',
    'write',
    'read',
    'none',
  ])
})

it('says who may read the permissions of others', async () => {
  const { server, host } = await start()
  server.fail(/\/permission$/, { status: 403, body: { message: 'Only admins can query all permissions' } })

  await expect(host.readPermission('dora', signal)).rejects.toThrow(/Only an administrator of acme\/docs may read/)
})

it('asks nobody for a review who does not see the repository', async () => {
  const started = await start()
  const { server, host } = started
  const { id } = await openPull(started)

  await expect(host.requestReviewers({ id, reviewers: ['nobody'] }, signal)).rejects.toThrow(
    /Not all of these can review: nobody/,
  )

  expect(server.look(1).reviewers).toEqual([])
})
