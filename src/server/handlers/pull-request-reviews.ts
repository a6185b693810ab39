import { addComment } from '../../codehost/builtin/add-comment.ts'
import { applySuggestions, type ApplySuggestionsDeps } from '../../codehost/builtin/apply-suggestions.ts'
import { removeComment, rewriteComment } from '../../codehost/builtin/change-comment.ts'
import { startThread } from '../../codehost/builtin/start-thread.ts'
import { submitReview } from '../../codehost/builtin/submit-review.ts'
import { AppError } from '../../contract/app-error.ts'
import type { pullRequestOperations } from '../../contract/operations/pull-requests.ts'
import {
  findThread,
  markFileViewed,
  resolveThread,
  unmarkFileViewed,
} from '../../store/hosting/pull-request-reviews.ts'
import { hasRole } from '../requests/require-role.ts'
import { findOwn, personOf, readResource, targetOf } from '../resources/pull-request-resource.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { repositoryOf } from '../../codehost/builtin/builtin-host-deps.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { findSitesOfPullRequest } from '../resources/sites-of-pull-request.ts'

type ReviewOperation =
  | 'reviewPullRequest'
  | 'startReviewThread'
  | 'replyToReviewThread'
  | 'resolveReviewThread'
  | 'applySuggestions'
  | 'markFileViewed'
  | 'updatePullRequestComment'
  | 'deletePullRequestComment'

/** Comments on lines, suggestions and verdicts. */
export function createPullRequestReviewHandlers(
  deps: ServerDeps,
): Pick<Handlers<typeof pullRequestOperations>, ReviewOperation> {
  const { host, store } = deps

  return {
    reviewPullRequest: async ({ c, params, body }) => {
      const record = await findOwn(c, deps, params.id)
      const input = { id: record.id, ...body, by: personOf(c) }
      const review = await submitReview(host, input, c.req.raw.signal)
      deps.wakeWebhooks()
      const changes = [{ field: 'verdict', from: '', to: review.verdict }]
      return { reply: { ...review, isCurrent: true }, audit: { target: targetOf(record), changes } }
    },

    startReviewThread: async ({ c, params, body: { line, startLine, ...body } }) => {
      const record = await findOwn(c, deps, params.id)
      const lines = { first: startLine ?? line, last: line }
      const input = { ...body, lines, pullRequestId: record.id, by: personOf(c) }
      const { thread, comment } = await startThread(host, input, c.req.raw.signal)
      deps.wakeWebhooks()
      return { reply: { ...thread, isOutdated: false, comments: [comment] }, audit: { target: targetOf(record) } }
    },

    replyToReviewThread: async ({ c, params, body: { body } }) => {
      const record = await findOwn(c, deps, params.id)
      const { id } = record
      const thread = await findThread(store.durable, { id: params.threadId, pullRequestId: id })
      if (thread === null) throw threadNotFound()
      const place = { path: thread.path, line: thread.lastLine }
      const comment = { id, threadId: thread.id, body, author: c.get('actorName'), by: personOf(c), place }
      const reply = await addComment(host, comment)
      deps.wakeWebhooks()
      return { reply, audit: { target: targetOf(record) } }
    },

    resolveReviewThread: async ({ c, params, body: { resolved } }) => {
      const record = await findOwn(c, deps, params.id)
      const thread = { id: params.threadId, pullRequestId: record.id }
      const by = resolved ? c.get('actorName') : null
      if (!(await resolveThread(store.durable, thread, by))) throw threadNotFound()
      return { reply: () => readResource(c, deps, record.id), audit: { target: targetOf(record) } }
    },

    updatePullRequestComment: async ({ c, params, body: { body } }) => {
      const record = await findOwn(c, deps, params.id)
      const place = { pullRequestId: record.id, id: params.commentId, by: personOf(c) }
      const reply = await rewriteComment(host, { ...place, body })
      return { reply, audit: { target: targetOf(record) } }
    },

    deletePullRequestComment: async ({ c, params }) => {
      const record = await findOwn(c, deps, params.id)
      const place = { pullRequestId: record.id, id: params.commentId, by: personOf(c) }
      await removeComment(host, { ...place, mayDeleteAll: hasRole(c.get('actor').role, 'owner') })
      return { reply: null, audit: { target: targetOf(record) } }
    },

    applySuggestions: async ({ c, params, body }) => {
      const record = await findOwn(c, deps, params.id)
      const input = { ...body, id: record.id, message: body.message ?? null, by: personOf(c) }
      const { scratchFolder } = deps.agent
      const checkCommit = checkSuggestedCommit(deps, record)
      await applySuggestions({ ...host, scratchFolder, checkCommit }, input, c.req.raw.signal)
      return { reply: () => readResource(c, deps, record.id), audit: { target: targetOf(record) } }
    },

    markFileViewed: async ({ c, params, body: { path, blob, viewed } }) => {
      const { id: pullRequestId } = await findOwn(c, deps, params.id)
      const { kind, id: userId } = c.get('actor')
      if (kind !== 'user' || userId === null) {
        throw new AppError('session_required', 'Files are marked as viewed for a member: sign in on the page.')
      }
      const file = { pullRequestId, userId, path }
      await (viewed ? markFileViewed(store.durable, { ...file, blob }) : unmarkFileViewed(store.durable, file))
      return null
    },
  }
}

function threadNotFound(): AppError {
  return new AppError('not_found', 'This pull request has no such thread. Load the page again.')
}

/** Holds suggestions to what the agent may push, because the agent and models may write them too. */
function checkSuggestedCommit(deps: ServerDeps, record: PullRequestRecord): ApplySuggestionsDeps['checkCommit'] {
  return async ({ gitDirectory, from, commit }, signal) => {
    const repository = await repositoryOf(deps.host, record)
    const [site] = await findSitesOfPullRequest(deps, repository)
    const subdirectory = site?.source.subdirectory ?? ''
    const allowed = site === undefined ? [] : readSiteSettings(site.settings).agentPaths
    // Suggestions change lines of files that are there, and delete none.
    const request = { gitDirectory, subdirectory, allowed, mayDelete: true, jobId: '', baseCommit: from, from, commit }
    const [problem] = await deps.pageChecks.findForbiddenInCommit(request, signal)
    if (problem === undefined) return
    throw new AppError('invalid_request', `${problem.message} (${problem.path}) If this is intended, push it with git.`)
  }
}
