import type { Log } from '../../telemetry/log.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'

/** What looking at automations and running them needs. */
export interface AutomationDeps extends AgentRequestDeps {
  log: Log
  /** Time between two looks at a branch; null: branches are looked at when somebody tells of them. */
  pollIntervalMs: number | null
  /** Counts a job or a follow-up against the limits of its project. @throws {AppError} `limit_reached`. */
  countJob(projectId: string): Promise<void>
}
