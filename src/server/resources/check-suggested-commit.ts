import type { ApplySuggestionsDeps } from '../../codehost/builtin/apply-suggestions.ts'
import { repositoryOf } from '../../codehost/builtin/builtin-host-deps.ts'
import { AppError } from '../../contract/app-error.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import type { ServerDeps } from '../server-deps.ts'
import { findSitesOfPullRequest } from './sites-of-pull-request.ts'

/** Holds suggestions to what the agent may push, because the agent and models may write them too. */
export function checkSuggestedCommit(deps: ServerDeps, record: PullRequestRecord): ApplySuggestionsDeps['checkCommit'] {
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
