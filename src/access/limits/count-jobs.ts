import type { CountJob } from '../../store/agent/agent-jobs.ts'
import { type LimitDeps, type RateLimitHeaders, consumeLimits } from './consume-limits.ts'

/**
 * Creates the function that counts jobs and follow-ups against their project's limit.
 *
 * @param onCount Receives the project's count, which is final only once the job is written.
 * @returns Takes a project; throws `limit_reached`.
 */
export function countJobs(
  deps: LimitDeps,
  max: number,
  onCount: (headers: RateLimitHeaders) => void = () => {},
): (projectId: string) => CountJob {
  return (subject) => async (transaction) => {
    const limit = { name: 'jobs', subject, window: 'hour', max, whose: 'This project' } as const
    onCount(await consumeLimits(deps, [limit], transaction))
  }
}
