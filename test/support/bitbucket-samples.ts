import type { pr, repo } from '@coderabbitai/bitbucket/server'
import type { WebhookEvent } from '../../src/codehost/webhooks/webhook-event.ts'

// Payloads as Bitbucket documents them and its types tell, without the parts that nobody reads.

type Part<Type> = { readonly [Name in keyof Type]?: Type[Name] extends object ? Part<Type[Name]> : Type[Name] }

export interface BitbucketSample {
  name: string
  /** The event key. */
  event: string
  payload: object
  expected: WebhookEvent
}

const repository = { slug: 'repository', id: 84, name: 'repository', project: { key: 'PROJ', id: 84, name: 'project' } }
const place = { path: 'projects/PROJ/repos/repository', url: null }
const actor = {
  name: 'admin',
  displayName: 'Administrator',
  id: 1,
  active: true,
  slug: 'admin',
  type: 'NORMAL',
} as const

const changeOf = (displayId: string, type: 'ADD' | 'UPDATE' | 'DELETE', refType: 'BRANCH' | 'TAG' = 'BRANCH') => {
  const id = `refs/${refType === 'TAG' ? 'tags' : 'heads'}/${displayId}`
  const hashes = {
    fromHash: 'ecddabb624f6f5ba43816f5926e580a5f680a932',
    toHash: '178864a7d521b6f5e720b386b2c2b0ef8563e0dc',
  }
  return { ref: { id, displayId, type: refType }, refId: id, ...hashes, type }
}
const push = (...changes: ReturnType<typeof changeOf>[]) => {
  return {
    eventKey: 'repo:refs_changed',
    actor,
    repository,
    changes,
  } as const satisfies Part<repo.refsChanged.RepoRefsChanged>
}

const side = (displayId: string, of: Part<typeof repository> = repository) => ({
  id: `refs/heads/${displayId}`,
  displayId,
  repository: of,
})
const pullRequest = { id: 11, version: 1, title: 'A cool PR', fromRef: side('comment-pr'), toRef: side('master') }
const merged = {
  eventKey: 'pr:merged',
  actor,
  pullRequest: { ...pullRequest, state: 'MERGED' },
} as const satisfies Part<pr.merged.PRMerged>
const comment = { id: 62, version: 0, text: 'I am a PR comment', author: actor, comments: [] }
const commented = (author: Part<pr.commentAdded.Actor> = actor) => {
  const payload = { eventKey: 'pr:comment:added', actor, pullRequest, comment: { ...comment, author } } as const
  return payload satisfies Part<pr.commentAdded.PRCommentAdded>
}
const said: WebhookEvent = {
  type: 'comment-added',
  repository: place,
  number: 11,
  commentId: 'comment:62',
  author: 'admin',
  isBot: false,
  body: 'I am a PR comment',
  path: null,
  line: null,
}

const personal = { slug: 'notes', project: { key: '~jane', type: 'PERSONAL' } }

/** @see https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html */
export const bitbucketSamples: readonly BitbucketSample[] = [
  {
    name: 'a push of one branch',
    event: 'repo:refs_changed',
    payload: push(changeOf('master', 'UPDATE')),
    expected: { type: 'push', repository: place, ref: 'master', otherRefs: [], isDefaultBranch: true },
  },
  {
    name: 'a push of several branches, of which one is removed',
    event: 'repo:refs_changed',
    payload: push(changeOf('gone', 'DELETE'), changeOf('topic', 'ADD'), changeOf('master', 'UPDATE')),
    expected: { type: 'push', repository: place, ref: 'topic', otherRefs: ['master'], isDefaultBranch: true },
  },
  {
    name: 'a push of a tag',
    event: 'repo:refs_changed',
    payload: push(changeOf('v1.0.0', 'ADD', 'TAG')),
    expected: { type: 'push', repository: place, ref: 'v1.0.0', otherRefs: [], isDefaultBranch: false },
  },
  {
    name: 'a branch that is removed',
    event: 'repo:refs_changed',
    payload: push(changeOf('gone', 'DELETE')),
    expected: { type: 'ignored', reason: 'The branches or tags were deleted.' },
  },
  {
    name: 'a pull request that is merged',
    event: 'pr:merged',
    payload: merged,
    expected: { type: 'pull-request-changed', repository: place, number: 11 },
  },
  {
    name: 'a pull request in the space of a user',
    event: 'pr:opened',
    payload: { eventKey: 'pr:opened', pullRequest: { ...pullRequest, toRef: side('master', personal) } },
    expected: {
      type: 'pull-request-changed',
      repository: { path: 'users/jane/repos/notes', url: null },
      number: 11,
    },
  },
  { name: 'a comment', event: 'pr:comment:added', payload: commented(), expected: said },
  {
    name: 'a comment with the token of a repository',
    event: 'pr:comment:added',
    payload: commented({ ...actor, name: 'docent-token', type: 'SERVICE' }),
    expected: { ...said, author: 'docent-token', isBot: true },
  },
  {
    name: 'a test of the connection',
    event: 'diagnostics:ping',
    payload: { test: true },
    expected: { type: 'ignored', reason: 'Docent does not handle the event "diagnostics:ping".' },
  },
]
