import { expect, it } from 'vitest'
import { describeHold, type HoldInput } from './find-hold.ts'

const headCommit = 'a'.repeat(40)
const record = { isDraft: false, checks: [], headCommit, authorId: 'user:author' }

type Verdict = HoldInput['reviews'][number]['verdict']

/** Oldest first. */
function holdOf(reviews: readonly [authorId: string, verdict: Verdict, commit?: string][], requiresApproval = true) {
  const all = reviews.map(([authorId, verdict, commit = headCommit]) => ({
    authorId,
    author: authorId,
    verdict,
    commit,
  }))
  return describeHold({ record, reviews: all.toReversed(), requiresApproval })
}

it('holds a pull request that nobody but its author approved as it is now', () => {
  expect(holdOf([])).toContain('Nobody but its author')
  expect(holdOf([['user:author', 'approve']])).toContain('Nobody but its author')
  expect(holdOf([['user:other', 'approve', 'b'.repeat(40)]])).toContain('Nobody but its author')
  expect(holdOf([['user:other', 'comment']])).toContain('Nobody but its author')
  expect(holdOf([['user:other', 'approve']])).toBeNull()
  expect(holdOf([], false)).toBeNull()
})

it('holds it while somebody asks for changes, until that person approves', () => {
  const asked = ['user:other', 'request-changes'] as const

  expect(holdOf([[...asked]], false)).toBe('user:other asked for changes and has not approved since.')
  expect(holdOf([[...asked], ['user:other', 'comment'], ['user:third', 'approve']])).toContain('asked for changes')
  expect(holdOf([[...asked], ['user:other', 'approve']])).toBeNull()
})
