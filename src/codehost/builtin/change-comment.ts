import { AppError } from '../../contract/app-error.ts'
import {
  deleteComment,
  findComment,
  type PullRequestComment,
  updateComment,
} from '../../store/hosting/pull-requests.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import type { Person } from './person.ts'

type CommentDeps = Pick<BuiltinHostDeps, 'store' | 'clock'>

export interface CommentPlace {
  pullRequestId: string
  id: string
  by: Person
}

/** Replaces the text of a person's own comment. The agent is not notified again. @throws {AppError} if it may not change. */
export async function rewriteComment(
  { store, clock }: CommentDeps,
  { by, body, ...place }: CommentPlace & { body: string },
): Promise<PullRequestComment> {
  const comment = await requireChangeable({ store }, place)
  if (comment.authorId !== by.id) throw notYours('edit')
  const change = { body, editedAt: clock.now() }
  if (!(await updateComment(store.durable, place, change))) throw commentNotFound()
  return { ...comment, ...change }
}

/** Deletes a comment, and its thread with the last one. @param mayDeleteAll Whether those of others as well. */
export async function removeComment(
  { store }: Pick<CommentDeps, 'store'>,
  { by, mayDeleteAll, ...place }: CommentPlace & { mayDeleteAll: boolean },
): Promise<void> {
  const comment = await requireChangeable({ store }, place)
  if (comment.authorId !== by.id && !mayDeleteAll) throw notYours('delete')
  await deleteComment(store.durable, comment)
}

/** Comments of the service are records: of an override, of an outcome, of a suggestion that is part of a commit. */
async function requireChangeable(
  { store }: Pick<CommentDeps, 'store'>,
  place: Pick<CommentPlace, 'id' | 'pullRequestId'>,
): Promise<PullRequestComment> {
  const comment = await findComment(store.durable, place)
  if (comment === null) throw commentNotFound()
  if (comment.authorId === null) throw new AppError('conflict', 'This comment is a record of the service and stays.')
  if (comment.appliedIn !== null) {
    throw new AppError('conflict', 'The suggestion of this comment is part of a commit, so the comment stays.')
  }
  return comment
}

function notYours(verb: string): AppError {
  return new AppError('role_forbidden', `Only its author can ${verb} this comment. Write one of your own.`)
}

function commentNotFound(): AppError {
  return new AppError('not_found', 'This pull request has no such comment. Load the page again.')
}
