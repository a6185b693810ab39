import type { AgentPlanItem, AgentProblem } from '../../../../src/contract/agent-job-event.ts'
import type { JobEvent } from '../../api/job-events.ts'

export interface EventSummary {
  /** The newest plan; empty without one. */
  plan: readonly AgentPlanItem[]
  /** What the newest check of the newest round has found; null before it. */
  problems: readonly AgentProblem[] | null
  /** The last event after which the change may be another one. 0 for none. */
  changeSeq: number
  /** The last event after which the job itself is another one. 0 for none. */
  stateSeq: number
}

const stateTypes = new Set([
  'branch-pushed',
  'job-completed',
  'job-failed',
  'message-received',
  'pull-request-changed',
  'pull-request-opened',
])

/** Where a job stands, by what was told of it. */
export function summarizeEvents(events: readonly JobEvent[]): EventSummary {
  const summary: EventSummary = { plan: [], problems: null, changeSeq: 0, stateSeq: 0 }
  for (const { seq, event } of events) {
    if (event.type === 'plan-changed') summary.plan = event.items
    if (event.type === 'checks-finished') summary.problems = event.problems
    // Another round is checked anew, and plans anew.
    if (event.type === 'job-started') Object.assign(summary, { plan: [], problems: null })
    if (event.type === 'step-finished' || event.type === 'branch-pushed') summary.changeSeq = seq
    if (stateTypes.has(event.type)) summary.stateSeq = seq
  }
  return summary
}
