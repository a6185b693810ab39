import { type DiffSide, threadLinesMax } from '../../contract/pull-request-review.ts'
import { toStorableText } from '../../contract/storable-json.ts'
import { quotePath } from '../../git/repository-path.ts'
import { runGitStrictly } from '../../git/run-git.ts'
import { insertThread, type PullRequestThread } from '../../store/hosting/pull-request-reviews.ts'
import type { PullRequestComment } from '../../store/hosting/pull-requests.ts'
import { refusal } from '../../contract/app-error.ts'
import type { BuiltinHostDeps, ReconcileDeps } from './builtin-host-deps.ts'
import { toCommentDelivery } from './comment-delivery.ts'
import type { Person } from './person.ts'
import type { LineRange } from './move-range.ts'
import { listChangedFiles, type PullRequestRange, readPullRequestRange } from './pull-request-range.ts'
import { branchMoved } from './require-reviewed.ts'

export interface StartThreadInput {
  pullRequestId: string
  path: string
  side: DiffSide
  lines: LineRange
  /** The commit that was reviewed. */
  head: string
  /** Markdown. */
  body: string
  by: Person
}

const fileBytesMax = 8 * 1024 * 1024
const textCharsMax = 20_000

/**
 * Comments on lines of a changed file.
 *
 * @throws {AppError} `conflict` if the branch has moved, `invalid_request` if the change has no such lines.
 */
export async function startThread(
  deps: ReconcileDeps & Pick<BuiltinHostDeps, 'ids'>,
  input: StartThreadInput,
  signal: AbortSignal,
): Promise<{ thread: PullRequestThread; comment: PullRequestComment }> {
  const { pullRequestId, path, side, lines, body, by } = input
  const range = await readPullRequestRange(deps, pullRequestId, signal)
  if (range.after !== input.head) throw branchMoved()
  const { commit, text } = await readCommented(range, input, signal)
  const made = { pullRequestId, createdAt: deps.clock.now() }
  const id = deps.ids.prefixed('thread')
  const place = { path, side, firstLine: lines.first, lastLine: lines.last, commit, text }
  const thread = { ...made, id, ...place, resolvedBy: null }
  const said = { body, author: by.name, authorId: by.id, appliedIn: null, editedAt: null }
  const comment = { ...made, id: deps.ids.prefixed('comment'), threadId: id, ...said }
  const delivery = await toCommentDelivery(deps, { ...comment, by, place: { path, line: lines.last } })
  await insertThread(deps.store.durable, thread, comment, delivery)
  return { thread, comment }
}

async function readCommented(
  range: PullRequestRange,
  { path, side, lines: { first, last } }: StartThreadInput,
  signal: AbortSignal,
): Promise<{ commit: string; text: string }> {
  const files = await listChangedFiles(range, signal)
  const isThere = files.some((file) =>
    side === 'after'
      ? file.kind !== 'deleted' && file.path === path
      : file.kind !== 'added' && (file.previousPath ?? file.path) === path,
  )
  if (!isThere) throw refusal(`The change has no file ${quotePath(path)} on the side "${side}". Name a changed file.`)
  const { gitDirectory, [side]: commit } = range
  const args = ['cat-file', 'blob', '--end-of-options', `${commit}:${path}`]
  const bytes = await runGitStrictly({ gitDirectory, args, signal }, { outputBytesMax: fileBytesMax })
  const all = bytes.toString('utf8').replace(/\n$/, '').split('\n')
  if (first < 1 || last > all.length || first > last || last - first >= threadLinesMax) {
    throw refusal(`${quotePath(path)} has ${all.length} lines. Name at most ${threadLinesMax} of them.`)
  }
  return {
    commit,
    text: toStorableText(
      all
        .slice(first - 1, last)
        .join('\n')
        .slice(0, textCharsMax),
    ),
  }
}
