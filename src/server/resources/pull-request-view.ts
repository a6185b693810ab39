import type { z } from 'zod'
import type { PullRequestView } from '../../codehost/builtin/view-pull-request.ts'
import { isPageFile } from '../../content/trees/source-path.ts'
import type { ReadersChange } from '../../contract/counterfactual.ts'
import type { pullRequestViewSchema } from '../../contract/pull-request-view.ts'
import type { ViewedFile } from '../../store/hosting/pull-request-reviews.ts'

/** @param viewed Files that the member of the session has viewed; null without a session of its organization. */
export function toPullRequestView(
  { record, repository, mergeability, ...view }: PullRequestView,
  viewed: readonly ViewedFile[] | null,
  readers: ReadersChange[],
): z.input<typeof pullRequestViewSchema> {
  const { id, headCommit, jobId, mergeCommit } = record
  const seen = new Map(viewed?.map(({ path, blob }) => [path, blob]))
  return {
    ...record,
    ...view,
    repository: repository.name,
    draft: record.isDraft,
    mergeCommit: mergeCommit?.slice(0, 7) ?? null,
    commits: view.commits.map((commit) => ({ ...commit, commit: commit.id.slice(0, 7) })),
    files: view.files.map((file) => ({
      ...file,
      isPage: isPageFile(file.path),
      isViewed: seen.get(file.path) === file.blob,
    })),
    comments: view.comments.filter(({ threadId }) => threadId === null),
    threads: view.threads.map((thread) => ({
      ...thread,
      comments: view.comments.filter(({ threadId }) => threadId === thread.id),
    })),
    reviews: view.reviews.map((review) => ({ ...review, isCurrent: review.commit === headCommit })),
    mergeability: { kind: mergeability.kind, files: mergeability.kind === 'conflict' ? mergeability.files : [] },
    readers,
    member: viewed === null ? null : { id, headCommit, jobId },
  }
}
