import { AppError } from '../../contract/app-error.ts'
import { readSuggestion } from '../../contract/pull-request-review.ts'
import { commitOverlay } from '../../git/overlay/commit-overlay.ts'
import { Overlay } from '../../git/overlay/overlay.ts'
import { quotePath } from '../../git/repository-path.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import { listThreads, markSuggestionsApplied } from '../../store/hosting/pull-request-reviews.ts'
import { listComments, type PullRequestComment } from '../../store/hosting/pull-requests.ts'
import { decodeText } from '../../git/trees/decode-text.ts'
import { openBuiltinCodeHost } from './builtin-code-host.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import type { LineRange } from './move-range.ts'
import { type Person, signAs } from './person.ts'
import { type PlacedThread, placeThreads } from './place-threads.ts'
import { readPullRequestRange } from './pull-request-range.ts'
import { reconcilePullRequest } from './reconcile-pull-request.ts'
import { branchMoved, requireOpen, requireReviewed } from './require-reviewed.ts'
import { commentsMax, threadsMax } from './view-pull-request.ts'

export interface ApplySuggestionsInput {
  id: string
  /** Ids of comments. */
  comments: readonly string[]
  /** The commit that was reviewed. */
  head: string
  /** Message of the commit; null for one that counts the suggestions. */
  message: string | null
  by: Person
}

export interface ApplySuggestionsDeps extends BuiltinHostDeps {
  /** An existing folder for temporary files. */
  scratchFolder: string
  /** @throws {AppError} if the commit adds to the other one what must not be pushed. */
  checkCommit(added: { gitDirectory: string; from: string; commit: string }, signal: AbortSignal): Promise<void>
}

interface Replacement {
  comment: PullRequestComment
  path: string
  lines: LineRange
  /** The lines that replace them. */
  by: readonly string[]
}

/**
 * Applies suggestions of comments to the branch of a pull request, all in one commit by the person who applies them.
 *
 * @returns The id of the commit.
 * @throws {AppError} `conflict` if the branch or the lines have changed; `invalid_request` for a comment without a
 *   suggestion, and for suggestions that overlap; as `checkCommit` does.
 */
export async function applySuggestions(
  deps: ApplySuggestionsDeps,
  input: ApplySuggestionsInput,
  signal: AbortSignal,
): Promise<string> {
  const reconciled = await reconcilePullRequest(deps, input.id, signal)
  requireOpen(reconciled)
  requireReviewed(reconciled, input.head)
  const replacements = await findReplacements(deps, input, signal)
  const { gitDirectory, repository, record } = reconciled
  const commit = await writeSuggestions(deps, { gitDirectory, input, replacements }, signal)
  await deps.checkCommit({ gitDirectory, from: input.head, commit }, signal)
  const push = { branch: record.headBranch, commit, expected: input.head }
  const pushed = await openBuiltinCodeHost(deps, repository).pushBranch(push, signal)
  if (pushed.outcome === 'moved') throw branchMoved()
  const comments = replacements.map(({ comment }) => comment)
  await markSuggestionsApplied(deps.store.durable, { comments, commit, by: input.by.name })
  return commit
}

async function findReplacements(
  deps: BuiltinHostDeps,
  input: ApplySuggestionsInput,
  signal: AbortSignal,
): Promise<Replacement[]> {
  const { store } = deps
  const range = await readPullRequestRange(deps, input.id, signal)
  const stored = await listThreads(store.durable, input.id, threadsMax)
  const threads = await placeThreads(stored, range, signal)
  const comments = await listComments(store.durable, input.id, commentsMax)
  return [...new Set(input.comments)].map((id) => {
    const comment = comments.find((each) => each.id === id)
    const thread = threads.find((each) => each.id === comment?.threadId)
    return readReplacement(comment, thread)
  })
}

function readReplacement(comment: PullRequestComment | undefined, thread: PlacedThread | undefined): Replacement {
  const by = readSuggestion(comment?.body ?? '')
  if (comment === undefined || thread === undefined || by === null || thread.side === 'before') {
    throw new AppError('invalid_request', 'One of these comments suggests no lines of the change. Leave it out.')
  }
  if (comment.appliedIn !== null) throw new AppError('conflict', 'One of these suggestions is already applied.')
  if (thread.isOutdated) {
    throw new AppError(
      'conflict',
      `The lines of a suggestion in ${quotePath(thread.path)} have changed. Suggest the change again.`,
    )
  }
  return { comment, path: thread.path, lines: { first: thread.firstLine, last: thread.lastLine }, by }
}

interface WriteInput {
  gitDirectory: string
  input: ApplySuggestionsInput
  replacements: readonly Replacement[]
}

async function writeSuggestions(
  { clock, scratchFolder }: Pick<ApplySuggestionsDeps, 'clock' | 'scratchFolder'>,
  { gitDirectory, input: { head, message, by }, replacements }: WriteInput,
  signal: AbortSignal,
): Promise<string> {
  const tree = await openCommitTree({ repository: gitDirectory, ref: head, subdirectory: '' }, signal)
  try {
    const overlay = new Overlay(tree)
    for (const [path, own] of Map.groupBy(replacements, ({ path: each }) => each)) {
      await overlay.write(path, replaceLines(path, await overlay.read(path), own))
    }
    if (overlay.changes().length === 0) {
      throw new AppError('conflict', 'The files already read as suggested. Resolve the threads instead.')
    }
    const counted = replacements.length === 1 ? 'Apply a suggestion' : `Apply ${replacements.length} suggestions`
    const text = `${message ?? counted}${writeCoAuthors(replacements, by)}`
    const signature = signAs(by, clock.now())
    const location = { gitDirectory, overlay, scratchFolder, base: head }
    return (await commitOverlay({ ...location, author: signature, message: text }, signal)).commit
  } finally {
    tree.close()
  }
}

/** Those who suggested it, by name: comments keep no address. */
function writeCoAuthors(replacements: readonly Replacement[], by: Person): string {
  const names = new Set(replacements.map(({ comment }) => comment.author).filter((name) => name !== by.name))
  const lines = [...names].map((name) => `Suggested-by: ${name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')}`)
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`
}

/** Keeps the ends of lines that the file has. */
function replaceLines(path: string, bytes: Uint8Array, replacements: readonly Replacement[]): Uint8Array {
  const text = decodeText(bytes)
  if (text === null) {
    throw new AppError('invalid_request', `${quotePath(path)} is not text in UTF-8. Change it in a clone.`)
  }
  const lines = text.split('\n')
  const ordered = replacements.toSorted((a, b) => b.lines.first - a.lines.first)
  for (const [index, { lines: range, by }] of ordered.entries()) {
    const next = ordered[index - 1]
    if (next !== undefined && next.lines.first <= range.last) {
      throw new AppError('invalid_request', `Two suggestions change the same lines of ${quotePath(path)}. Choose one.`)
    }
    const end = lines[range.first - 1]?.endsWith('\r') === true ? '\r' : ''
    lines.splice(range.first - 1, range.last - range.first + 1, ...by.map((line) => line + end))
  }
  return Buffer.from(lines.join('\n'))
}
