import { deletionConsent } from '../../../../src/contract/agent-job.ts'
import type { AgentPlanItem, AgentProblem } from '../../../../src/contract/agent-job-event.ts'
import type { JobEvent } from '../../api/job-events.ts'

export interface EventSummary {
  /** Latest plan; empty without one. */
  plan: readonly AgentPlanItem[]
  /** Problems of the current round's latest check; null before it. */
  problems: readonly AgentProblem[] | null
  /** Whether the current round was refused a deletion that an owner may allow. */
  needsConsent: boolean
  /** The last event that may have changed the diff. 0 if none. */
  changeSeq: number
  /** The last event that changed the job itself. 0 if none. */
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

/** Derives a job's state from its events. */
export function summarizeEvents(events: readonly JobEvent[]): EventSummary {
  const summary: EventSummary = { plan: [], problems: null, needsConsent: false, changeSeq: 0, stateSeq: 0 }
  for (const { seq, event } of events) {
    if (event.type === 'plan-changed') summary.plan = event.items
    if (event.type === 'checks-finished') summary.problems = event.problems
    if (event.type === 'tool-called' && event.message?.includes(deletionConsent) === true) summary.needsConsent = true
    if (event.type === 'job-failed' && event.message.includes(deletionConsent)) summary.needsConsent = true
    // A new round starts without a plan and checks.
    if (event.type === 'job-started') Object.assign(summary, { plan: [], problems: null, needsConsent: false })
    if (event.type === 'step-finished' || event.type === 'branch-pushed') summary.changeSeq = seq
    if (stateTypes.has(event.type)) summary.stateSeq = seq
  }
  return summary
}
