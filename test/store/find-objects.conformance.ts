import { beforeEach, expect, it } from 'vitest'
import { insertKey } from '../../src/store/accounts/keys.ts'
import { getProject } from '../../src/store/accounts/projects.ts'
import { insertUser } from '../../src/store/accounts/users.ts'
import { insertAgentJob } from '../../src/store/agent/agent-jobs.ts'
import { insertMessages } from '../../src/store/answers/messages.ts'
import { saveThreads } from '../../src/store/answers/threads.ts'
import { findObjects } from '../../src/store/facts/find-objects.ts'
import { insertPullRequest } from '../../src/store/hosting/pull-requests.ts'
import { insertRepository } from '../../src/store/hosting/repositories.ts'
import type { Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import {
  emptyStore,
  freshId,
  sampleKey,
  sampleMessage,
  sampleThread,
  seedSite,
  type StoreHarness,
} from './store-samples.ts'

export function declareFindObjectsTests(harness: StoreHarness): void {
  let store: Store
  let organizationId: string

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    organizationId = await seedObjects(store)
    await seedObjects(store)
  })

  const find = async (...words: string[]) =>
    (await findObjects(store.durable, { organizationId, words })).map(({ kind, title }) => `${kind}: ${title}`)

  it('finds objects by words in any order and case, those with most words first, and none of others', async () => {
    expect(await find('RATE', 'raise')).toEqual([
      'conversation: How do I raise the rate limit?',
      'conversation: What is a rate?',
    ])
    expect(await find('website')).toEqual(['key: Shop website'])
    expect(await find('docent/typo')).toEqual(['job: Mend the typo'])
    expect(await find('docs', '#1')).toEqual(['pull-request: Document the retry header'])
    expect(await find('hopper')).toEqual(['member: Grace Hopper'])
    expect(await find('100%', '_')).toEqual([])
  })

  it('lists the newest objects of each kind without words, and no revoked keys', async () => {
    const all = await findObjects(store.durable, { organizationId, words: [] })

    expect(all.map(({ kind }) => kind)).toEqual([
      'key',
      'job',
      'conversation',
      'conversation',
      'pull-request',
      'member',
    ])
    expect(all[4]?.path).toBe(`/pull/secret-of-${organizationId}/1`)
  })
}

/** @returns The id of a new organization with an object of each kind. */
async function seedObjects(store: Store): Promise<string> {
  const site = await seedSite(store)
  const organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
  await insertKey(store.durable, sampleKey(organizationId, { name: 'Shop website' }))
  await insertKey(store.durable, sampleKey(organizationId, { name: 'Old', revokedAt: 5 }))
  await insertAgentJob(store.durable, sampleJob(site))
  for (const question of ['What is a rate?', 'How do I raise the rate limit?']) await seedThread(store, site, question)
  const user = { id: freshId(), organizationId, role: 'owner', createdAt: 1 } as const
  await insertUser(store.durable, { ...user, name: 'Grace Hopper', email: `${user.id}@example.com` })
  await seedPullRequest(store, organizationId)
  return organizationId
}

async function seedThread(store: Store, site: Site, question: string) {
  const thread = sampleThread(site.id)
  await saveThreads(store.durable, [thread])
  const asked = sampleMessage(thread, { role: 'user', text: question, createdAt: 1 })
  await insertMessages(store.durable, [sampleMessage(thread, { createdAt: 2 }), asked])
}

const sampleJob = (site: Site) => ({
  id: freshId(),
  projectId: site.projectId,
  siteId: site.id,
  repository: 'default/docs',
  ref: 'main',
  branch: 'docent/typo',
  model: 'docent/offline',
  isDraft: false,
  prompt: 'Mend the typo',
  context: [],
  idempotencyKey: null,
  requestHash: 'hash-1',
  createdAt: 1_000,
})

async function seedPullRequest(store: Store, organizationId: string) {
  const id = freshId()
  const name = `${organizationId}/docs`
  await insertRepository(store.durable, { id, organizationId, name, folder: id, defaultBranch: 'main', createdAt: 2 })
  await insertPullRequest(store.durable, {
    id: freshId(),
    repositoryId: id,
    secret: `secret-of-${organizationId}`,
    jobId: null,
    authorId: null,
    title: 'Document the retry header',
    body: '',
    isDraft: false,
    headBranch: 'retry',
    baseBranch: 'main',
    headCommit: '2'.repeat(40),
    baseCommit: '1'.repeat(40),
    checks: [],
    createdAt: 5,
    updatedAt: 5,
  })
}
