import { closePullRequest, reopenPullRequest } from '../../api/pull-requests.ts'
import { useChange } from '../../forms/use-change.ts'
import { pullRequestQueries } from './merge-dialog.tsx'
import { say } from '../../../words/say.ts'

/** Closes a pull request by its id. Its branch stays, so that it can be reopened. */
export function useClosePullRequest() {
  return useChange({
    send: (id: string) => closePullRequest(id),
    done: say('Closed without merging.'),
    undo:
      ({ id }) =>
      () =>
        reopenPullRequest(id),
    stale: pullRequestQueries,
    hasFailureToast: true,
  })
}
