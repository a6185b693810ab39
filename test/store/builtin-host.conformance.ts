import { beforeEach, expect, it } from 'vitest'
import { insertOrganization } from '../../src/store/accounts/organizations.ts'
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
  reopenPullRequest,
  deleteComment,
  findComment,
  updateComment,
  updatePullRequest,
} from '../../src/store/hosting/pull-requests.ts'
import {
  findThread,
  insertReview,
  insertThread,
  listReviews,
  listThreads,
  listViewedFiles,
  markFileViewed,
  markSuggestionsApplied,
  resolveThread,
  unmarkFileViewed,
} from '../../src/store/hosting/pull-request-reviews.ts'
import { insertUser } from '../../src/store/accounts/users.ts'
import {
  findRepository,
  getRepository,
  insertRepository,
  listRepositories,
  type Repository,
} from '../../src/store/hosting/repositories.ts'
import { emptyStore, freshId, type StoreHarness } from './store-samples.ts'
import type { Store } from '../../src/store/store.ts'

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
    authorId: null,
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
    const comment = { ...sampleComment, pullRequestId: id }
    const first = freshId()
    await insertComment(store.durable, { ...comment, id: first, body: 'Frist' })
    await insertComment(store.durable, { ...comment, id: freshId(), body: 'Second' })
    const change = (pullRequestId: string) =>
      updateComment(store.durable, { id: first, pullRequestId }, { body: 'First' })

    expect([await change('another'), await change(id)]).toEqual([false, true])
    expect((await listComments(store.durable, id, 10)).map(({ body }) => body)).toEqual(['First', 'Second'])
    await store.durable.deleteFrom('organizations').where('id', '=', repository.organizationId).execute()

    expect(await listComments(store.durable, id, 10)).toEqual([])
    expect(await getPullRequest(store.durable, id)).toBeNull()
  })

  it('opens a closed pull request again, unless its branch has another open one', async () => {
    const [closed, merged] = [await open({ headBranch: 'a' }), await open({ headBranch: 'b' })]
    await endPullRequest(store.durable, closed.id, closing)
    await endPullRequest(store.durable, merged.id, { ...closing, state: 'merged', mergeCommit: third })
    const reopen = (id: string) => reopenPullRequest(store.durable, id, 12)

    expect([await reopen(merged.id), await reopen(closed.id), await reopen(closed.id)]).toEqual([false, true, false])
    const expected = { ...closed, baseCommit: first, updatedAt: 12 }
    expect(await getPullRequest(store.durable, closed.id)).toEqual(expected)
    await endPullRequest(store.durable, closed.id, closing)
    await open({ headBranch: 'a' })
    expect(await reopen(closed.id)).toBe(false)
  })

  it('keeps threads with their comments, and marks applied suggestions', async () => {
    const [one, other] = [await open({ headBranch: 'a' }), await open({ headBranch: 'b' })]
    const lines = {
      path: 'a.md',
      side: 'after' as const,
      firstLine: 2,
      lastLine: 3,
      commit: second,
      text: 'Two\nThree',
    }
    const thread = { ...lines, id: freshId(), pullRequestId: one.id, resolvedBy: null, createdAt: 6 }
    const comment = { ...sampleComment, id: freshId(), pullRequestId: one.id, threadId: thread.id, body: 'Why?' }
    const place = { id: thread.id, pullRequestId: one.id }

    await insertThread(store.durable, thread, comment)

    expect(await listThreads(store.durable, one.id, 5)).toEqual([thread])
    expect(await listComments(store.durable, one.id, 5)).toEqual([comment])
    const reply = { ...comment, id: freshId(), body: 'Because.' }
    await insertComment(store.durable, reply)
    expect(await findComment(store.durable, reply)).toEqual(reply)
    expect(await findComment(store.durable, { ...reply, pullRequestId: other.id })).toBeNull()
    await deleteComment(store.durable, reply)
    expect(await listThreads(store.durable, one.id, 5)).toEqual([thread])
    expect(await listComments(store.durable, one.id, 5)).toEqual([comment])
    expect(await findThread(store.durable, { ...place, pullRequestId: other.id })).toBeNull()
    expect(await resolveThread(store.durable, { ...place, pullRequestId: other.id }, 'Owner')).toBe(false)
    await markSuggestionsApplied(store.durable, { comments: [comment], commit: third, by: 'Owner' })
    expect(await listThreads(store.durable, one.id, 5)).toEqual([{ ...thread, resolvedBy: 'Owner' }])
    expect(await listComments(store.durable, one.id, 5)).toEqual([{ ...comment, appliedIn: third }])
    expect(await resolveThread(store.durable, place, null)).toBe(true)
    expect(await listThreads(store.durable, one.id, 5)).toEqual([thread])
    await deleteComment(store.durable, comment)
    expect(await listThreads(store.durable, one.id, 5)).toEqual([])
  })

  it('lists reviews, the newest first', async () => {
    const { id: pullRequestId } = await open()
    const made = { pullRequestId, authorId: 'user:1', author: 'Owner', body: '', commit: second, createdAt: 5 }
    const reviews = (['request-changes', 'approve'] as const).map((verdict) => ({ ...made, id: freshId(), verdict }))
    for (const review of reviews) await insertReview(store.durable, review)

    expect(await listReviews(store.durable, pullRequestId, 5)).toEqual(reviews.toReversed())
  })

  it('remembers of each member which content of a file they viewed', async () => {
    const { id: pullRequestId } = await open()
    const { organizationId } = repository
    const user = { id: freshId(), organizationId, name: 'Ada', email: null, role: 'editor' as const, createdAt: 1 }
    await insertUser(store.durable, user)
    const file = { pullRequestId, userId: user.id, path: 'a.md', blob: first }
    const viewed = () => listViewedFiles(store.durable, file)

    await markFileViewed(store.durable, file)
    await markFileViewed(store.durable, { ...file, blob: second })

    expect(await viewed()).toEqual([{ ...file, blob: second }])
    await unmarkFileViewed(store.durable, file)
    expect(await viewed()).toEqual([])
  })
}

const sampleComment = {
  threadId: null,
  authorId: null,
  author: 'Owner',
  appliedIn: null,
  createdAt: 7,
  editedAt: null,
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
