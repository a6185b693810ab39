import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { finishJob, getJob, runJob, sendToJob } from '../support/agent-jobs.ts'
import { addForgeSite, type ConnectedDocent, startConnectedDocent } from '../support/connected-forge.ts'
import { type TestForge, testForges } from '../support/forge-kinds.ts'

// Each test runs many git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const pollMs = 6 * 60_000

let docent: ConnectedDocent
beforeAll(async () => {
  docent = await startConnectedDocent()
})
afterAll(() => docent.remove())

describe.each(Object.entries(testForges))('a repository on %s', (slug, startForge) => {
  let forge: TestForge
  beforeAll(async () => {
    forge = await startForge()
  })
  afterAll(() => forge.stop())

  it('is added by its address, found out, tried and read', async () => {
    const { site, stderr } = await addForgeSite(docent, forge, slug)

    expect(site.source).toMatchObject({ kind: forge.kind, location: forge.location, ref: null, subdirectory: '' })
    expect(site).toMatchObject({
      hasCredential: true,
      generation: { pages: 1, revision: forge.repository.tip('main') },
    })
    expect(stderr).toContain(`the repository is ${forge.path}.`)
    expect(stderr).toMatch(/ok {2}documentation: /)
    expect(stderr).not.toMatch(/^ {2}(?:NO|!!)/m)
    expect(`${stderr}${JSON.stringify(site)}`).not.toContain(forge.token)
  })

  it('takes jobs as pull requests, their follow-ups on the same one, and a new one after the merge', async () => {
    const first = await runJob(docent, 'Replace "Old" by "New" on every page.', { site: slug })
    expect(first).toMatchObject({
      status: 'completed',
      failure: null,
      source: { repository: forge.path, ref: 'main' },
      pullRequest: { state: 'open', draft: false },
      prLink: forge.pullRequestUrl(1),
      branch: expect.stringMatching(/^docent\//),
    })

    await sendToJob(docent, first.id, 'message', { prompt: 'Replace "New" by "Newer" on every page.' })
    const followed = await finishJob(docent, first.id)
    expect(followed).toMatchObject({ status: 'completed', prLink: first.prLink, branch: first.branch })
    expect(followed.changes).toEqual([{ path: 'page.md', kind: 'modified', additions: 1, deletions: 1 }])

    await forge.merge(1)
    docent.advance(pollMs)
    await docent.waitForRevision(slug, forge.repository.tip('main'))
    while ((await getJob(docent, first.id)).pullRequest?.state !== 'merged') await wait(50)

    await sendToJob(docent, first.id, 'message', { prompt: 'Replace "Newer" by "Newest" on every page.' })
    const again = await finishJob(docent, first.id)
    expect(again).toMatchObject({
      status: 'completed',
      pullRequest: { state: 'open' },
      prLink: forge.pullRequestUrl(2),
    })
    expect(again.branch).not.toBe(first.branch)
  })
})
