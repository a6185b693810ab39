import type { CountJob } from '../../store/agent/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { CreateJobDeps } from '../jobs/create-job.ts'

/** What checking and running automations uses. */
export interface AutomationDeps extends CreateJobDeps, Pick<AgentDeps, 'contexts' | 'log'> {
  /** Time between two checks of a branch; null if only webhooks trigger them. */
  pollIntervalMs: number | null
  /** Counts a job or a follow-up against the limits of its project. Throws `limit_reached`. */
  countJob(projectId: string): CountJob
}
