import type { CountJob } from '../../store/agent-jobs.ts'
import type { Log } from '../../telemetry/log.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'

/** What looking at automations and running them needs. */
export interface AutomationDeps extends AgentRequestDeps {
  log: Log
  /** Time between two looks at a branch; null: branches are looked at when somebody tells of them. */
  pollIntervalMs: number | null
  /** What counts a job or a follow-up against the limits of its project, and throws `limit_reached`. */
  countJob(projectId: string): CountJob
}
