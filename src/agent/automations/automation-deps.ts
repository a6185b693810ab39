import type { CountJob } from '../../store/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { CreateJobDeps } from '../jobs/create-job.ts'

/** What looking at automations and running them takes. */
export interface AutomationDeps extends CreateJobDeps, Pick<AgentDeps, 'contexts' | 'log'> {
  /** Time between two looks at a branch; null: branches are looked at when somebody tells of them. */
  pollIntervalMs: number | null
  /** What counts a job or a follow-up against the limits of its project, and throws `limit_reached`. */
  countJob(projectId: string): CountJob
}
