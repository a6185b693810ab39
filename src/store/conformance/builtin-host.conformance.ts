import { beforeEach, expect, it } from 'vitest'
import { deleteOrganization, insertOrganization } from '../accounts/organizations.ts'
import {
  endPullRequest,
  findPullRequestBySecret,
  findPullRequestOfBranch,
  getPullRequest,
  insertComment,
  insertPullRequest,
  listComments,
  listOpenPullRequests,
  listPullRequests,
  nameMerger,
  type NewPullRequest,
  updateComment,
  updatePullRequest,
} from '../hosting/pull-requests.ts'
import {
  findRepository,
  getRepository,
  insertRepository,
  listRepositories,
  type Repository,
} from '../hosting/repositories.ts'
import { emptyStore, freshId, type StoreHarness } from './store-samples.conformance.ts'
import type { Store } from '../store.ts'

const [first, second, third] = ['1'.repeat(40), '2'.repeat(40), '3'.repeat(40)] as const

export function declareBuiltinHostTests(harness: StoreHarness): void {
  let store: Store
  let repository: Repository

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    repository = await seedRepository(store)
  })

  const sample = (change: Partial<NewPullRequest> = {}): NewPullRequest => ({
    id: `pr_${freshId()}`,
    repositoryId: repository.id,
    secret: freshId(),
    jobId: null,
    title: 'Mend the links',
    body: 'They led nowhere.',
    isDraft: false,
    headBranch: 'docent/mend',
    headCommit: second,
    baseBranch: 'main',
    baseCommit: first,
    checks: [{ name: 'Links', state: 'passed', summary: 'All lead somewhere.' }],
    createdAt: 5,
    updatedAt: 5,
    ...change,
  })

  const open = async (change: Partial<NewPullRequest> = {}) =>
    (await insertPullRequest(store.durable, sample(change))).record

  it('gives a repository name to one repository only', async () => {
    const taken = { ...repository, id: freshId(), folder: freshId() }

    expect(await insertRepository(store.durable, taken)).toBe(false)
    expect(await findRepository(store.durable, repository.name)).toEqual(repository)
    expect(await getRepository(store.durable, taken.id)).toBeNull()
    expect(await listRepositories(store.durable, { organizationId: 'another', limit: 5 })).toMatchObject({ items: [] })
  })

  it('counts pull requests from 1 in each repository', async () => {
    const other = await seedRepository(store)

    const numbers = [
      (await open({ headBranch: 'a' })).number,
      (await open({ headBranch: 'b' })).number,
      (await open({ headBranch: 'a', repositoryId: other.id })).number,
    ]

    expect(numbers).toEqual([1, 2, 1])
  })

  it('opens one pull request per branch when several callers try concurrently', async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => insertPullRequest(store.durable, sample())))

    expect(new Set(results.map(({ record }) => record.id)).size).toBe(1)
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect((await open({ headBranch: 'next' })).number).toBe(2)
  })

  it('reads a pull request back as it was written, by id, address and branch', async () => {
    const record = await open({ jobId: 'job_1', isDraft: true })

    expect(record).toMatchObject({ state: 'open', number: 1, jobId: 'job_1', isDraft: true, mergeCommit: null })
    expect(await getPullRequest(store.durable, record.id)).toEqual(record)
    expect(await findPullRequestBySecret(store.durable, record.secret, 1)).toEqual(record)
    expect(await findPullRequestBySecret(store.durable, record.secret, 2)).toBeNull()
    expect(await findPullRequestOfBranch(store.durable, repository.id, 'docent/mend')).toEqual(record)
  })

  it("prefers a branch's open pull request to ended ones", async () => {
    const ended = await open()
    await endPullRequest(store.durable, ended.id, closing)
    const again = await open()
    expect((await findPullRequestOfBranch(store.durable, repository.id, ended.headBranch))?.id).toBe(again.id)

    await endPullRequest(store.durable, again.id, closing)

    expect((await findPullRequestOfBranch(store.durable, repository.id, ended.headBranch))?.id).toBe(again.id)
  })

  it('ends a pull request once', async () => {
    const { id } = await open()
    const merging = { ...closing, state: 'merged' as const, mergeCommit: third }

    const ended = await Promise.all([
      endPullRequest(store.durable, id, merging),
      endPullRequest(store.durable, id, merging),
    ])

    expect(ended.filter(Boolean)).toHaveLength(1)
    expect(await endPullRequest(store.durable, id, closing)).toBe(false)
    await nameMerger(store.durable, id, 'Somebody')
    expect(await getPullRequest(store.durable, id)).toMatchObject({
      state: 'merged',
      mergeCommit: third,
      endedBy: 'Somebody',
    })
    expect(await listOpenPullRequests(store.durable, repository.id)).toEqual([])
  })

  it('changes the given fields and leaves the rest', async () => {
    const record = await open()

    await updatePullRequest(store.durable, record.id, { title: 'Another', checks: [], updatedAt: 8 })

    expect(await getPullRequest(store.durable, record.id)).toEqual({
      ...record,
      title: 'Another',
      checks: [],
      updatedAt: 8,
    })
  })

  it('lists pull requests of the organization, newest first', async () => {
    const { organizationId } = repository
    const [one, two] = [await open({ headBranch: 'a' }), await open({ headBranch: 'b' })]
    await endPullRequest(store.durable, one.id, closing)
    const idsOf = async (more: object) =>
      (await listPullRequests(store.durable, { organizationId, limit: 5, ...more })).items.map(({ id }) => id)

    expect(await idsOf({})).toEqual([two.id, one.id])
    expect(await idsOf({ state: 'open' })).toEqual([two.id])
    expect(await idsOf({ cursor: two.id })).toEqual([one.id])
    expect(await idsOf({ organizationId: 'another' })).toEqual([])
  })

  it('keeps comments in their order and deletes everything with the organization', async () => {
    const { id } = await open()
    const comment = { pullRequestId: id, author: 'Owner', createdAt: 7 }
    const first = freshId()
    await insertComment(store.durable, { ...comment, id: first, body: 'Frist' })
    await insertComment(store.durable, { ...comment, id: freshId(), body: 'Second' })
    const change = (pullRequestId: string) => updateComment(store.durable, { id: first, pullRequestId }, 'First')

    expect([await change('another'), await change(id)]).toEqual([false, true])
    expect((await listComments(store.durable, id, 10)).map(({ body }) => body)).toEqual(['First', 'Second'])
    await deleteOrganization(store.durable, repository.organizationId)

    expect(await listComments(store.durable, id, 10)).toEqual([])
    expect(await getPullRequest(store.durable, id)).toBeNull()
  })
}

const closing = {
  state: 'closed' as const,
  headCommit: second,
  baseCommit: first,
  mergeCommit: null,
  endedAt: 9,
  endedBy: 'Owner',
}

async function seedRepository(store: Store): Promise<Repository> {
  const organization = { id: freshId(), name: 'Example', createdAt: 1 }
  const id = `repo_${freshId()}`
  const repository: Repository = {
    id,
    organizationId: organization.id,
    name: `${organization.id}/docs`,
    folder: `${id}.git`,
    defaultBranch: 'main',
    createdAt: 2,
  }
  await insertOrganization(store.durable, organization)
  await insertRepository(store.durable, repository)
  return repository
}
