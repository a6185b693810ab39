import { applySuggestions } from '../../../api/pull-requests.ts'
import { useChange } from '../../../forms/use-change.ts'
import { useReview } from '../review-context.ts'
import { say } from '../../../../words/say.ts'

/** Applies the suggestions of comments in one commit. */
export function useApplySuggestions() {
  const { editor, setBatch } = useReview()
  return useChange({
    send: (comments: readonly string[]) =>
      applySuggestions(editor?.id ?? '', { comments: [...comments], head: editor?.headCommit ?? '' }),
    onDone: () => setBatch([]),
    done: say('Committed to the branch.'),
    stale: ['viewPullRequest', 'getPullRequest'],
    hasFailureToast: true,
  })
}
