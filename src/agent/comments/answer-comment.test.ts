import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createForgeDeps } from '../../../test/support/forge-deps.ts'
import { branchOff, requestFor } from '../../../test/support/forge-work.ts'
import { type TestForge, testForges } from '../../../test/support/forge-kinds.ts'
import { openGithubHost } from '../../../test/support/github-host.ts'
import { everything, removeGithubTemplate, startGithubServer } from '../../../test/support/github-server.ts'
import type { CodeHost } from '../../codehost/code-host.ts'
import { forgeAdapters } from '../../codehost/forge-adapters.ts'
import { insertAgentJob } from '../../store/agent/agent-jobs.ts'
import { claimCommentAnswer, insertCommentAnswer, updateCommentAnswer } from '../../store/agent/comment-answers.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { freshId, seedSite } from '../../../test/store/store-samples.ts'
import { answerComment, isAnswerComment } from './answer-comment.ts'

const { signal } = new AbortController()
const closing: (() => Promise<unknown>)[] = []
let store: Store
let now = 1_732_000_000_000

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docent-answers-'))
  store = await openStore({ folder })
  closing.push(() => rm(folder, { recursive: true }), store.close)
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(removeGithubTemplate)

/** The parts of a forge that a comment on its only pull request needs. */
interface CommentedForge {
  host: CodeHost
  pullRequestId: string
  comments(): string[]
}

async function startGithub(): Promise<CommentedForge> {
  const server = await startGithubServer()
  const token = server.addToken(everything)
  const { host, close } = await openGithubHost(server, { kind: 'token', username: 'x-access-token', token })
  closing.push(server.stop, close)
  const { pulls, repository } = server.state
  const parent = repository.readRef('refs/heads/main') ?? ''
  const tree = repository.writeTree(parent, [{ path: 'page.md', mode: '100644', content: 'Changed' }])
  repository.updateRef('refs/heads/topic', repository.writeCommit({ tree, parents: [parent], message: 'A change' }))
  pulls.create({ title: 'A change', head: 'topic', base: 'main' })
  return { host, pullRequestId: '1', comments: () => pulls.look(1).comments }
}

async function startRestForge(start: () => Promise<TestForge>): Promise<CommentedForge> {
  const { kind, origin, path, token, repository, look, stop } = await start()
  const deps = await createForgeDeps(token)
  closing.push(stop, deps.remove)
  const host = await forgeAdapters[kind].open(deps, { kind, origin, path, reader: 'site' })
  await branchOff(repository)
  const { id } = await host.openPullRequest(requestFor('topic'), signal)
  return { host, pullRequestId: id, comments: () => look(Number(id)).comments }
}

const forges = {
  github: startGithub,
  ...Object.fromEntries(Object.entries(testForges).map(([kind, start]) => [kind, () => startRestForge(start)])),
}

/** A job that works on a comment's request. */
async function followComment({ pullRequestId }: CommentedForge): Promise<void> {
  const site = await seedSite(store)
  const { job } = await insertAgentJob(store.durable, {
    id: `job_${freshId()}`,
    projectId: site.projectId,
    siteId: site.id,
    repository: 'acme/docs',
    ref: 'main',
    branch: 'topic',
    model: 'docent/offline',
    isDraft: false,
    prompt: 'Do it.',
    context: [],
    idempotencyKey: null,
    requestHash: 'hash',
    pullRequest: { id: pullRequestId, url: 'https://example.com/pull/1', state: 'open', isDraft: false },
    createdAt: now,
  })
  const answer = { siteId: site.id, commentId: 'comment:1', pullRequestId, jobId: job.id, createdAt: now }
  await insertCommentAnswer(store.durable, answer)
}

/** Acts as a worker. @param isKilled Stops between posting and recording. @returns The outcome. */
async function work({ host }: CommentedForge, { isKilled }: { isKilled: boolean }): Promise<string | null> {
  const answer = await claimCommentAnswer(store.durable, { now, leaseUntil: now + 60_000 })
  if (answer === null) throw new Error('Something is due.')
  const deps = { store, openHost: async () => host, answerKey: Buffer.alloc(32, 1) }
  const change = await answerComment(deps, answer, signal)
  if (!isKilled) await updateCommentAnswer(store.durable, answer, change, now)
  return change.answerId ?? null
}

describe.each(Object.entries(forges))('on %s', (_, start) => {
  it('answers a comment once, even if the process is killed between posting and recording the answer', async () => {
    const forge = await start()
    await followComment(forge)
    const posted = await work(forge, { isKilled: true })
    now += 120_000

    const found = await work(forge, { isKilled: false })

    expect(forge.comments()).toHaveLength(1)
    expect(isAnswerComment(forge.comments()[0] ?? '')).toBe(true)
    expect(found).toBe(posted)
  })
})

it('does not mistake a comment with a forged mark for its own', async () => {
  const forge = await startRestForge(testForges.gitea)
  await followComment(forge)
  const theirs = `<!-- docent:answer ${'a'.repeat(22)} -->\nWorking on it.`
  await forge.host.comment({ id: forge.pullRequestId, body: theirs }, signal)
  await work(forge, { isKilled: true })
  now += 120_000

  await work(forge, { isKilled: false })

  expect(forge.comments()).toEqual([theirs, expect.stringContaining('Working on it.')])
})
