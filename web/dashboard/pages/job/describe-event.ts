import type { AgentJobEvent } from '../../../../src/contract/agent-job-event.ts'
import { countOf } from '../../../../src/contract/count-of.ts'

/** An event as a timeline entry. */
export interface EventLine {
  kind: 'message' | 'text' | 'tool' | 'state' | 'end'
  /** What happened, in a few words. */
  text: string
  /** Its subject: a path, a query, a branch. */
  subject?: string
  /** Why it failed. */
  failure?: string
}

/** Readable descriptions of tool calls. */
const toolNames: Readonly<Record<string, string>> = {
  check: 'Checked the change',
  delete: 'Deleted',
  edit: 'Edited',
  finish: 'Finished the work',
  grep: 'Searched the files for',
  list: 'Listed the files',
  move: 'Moved',
  plan: 'Updated the plan',
  read: 'Read',
  search: 'Searched the site for',
  write: 'Wrote',
}

const pullRequestStates = { open: 'is open', merged: 'was merged', closed: 'was closed' } as const

/** Null for events shown elsewhere on the page. */
export function describeEvent(event: AgentJobEvent): EventLine | null {
  switch (event.type) {
    case 'message-received':
      return { kind: 'message', text: event.prompt }
    case 'job-started':
      return { kind: 'state', text: `Started with ${event.model} at`, subject: event.baseCommit.slice(0, 12) }
    case 'job-resumed':
      return { kind: 'state', text: `Resumed after step ${event.step}` }
    case 'text-written':
      return { kind: 'text', text: event.text }
    case 'tool-called':
      return describeTool(event)
    case 'plan-changed':
    case 'step-finished':
      return null
    case 'results-elided':
      return { kind: 'state', text: `Left out old results, about ${event.tokens.toLocaleString()} tokens` }
    case 'conversation-compacted':
      return {
        kind: 'state',
        text: `Summarized the conversation: ${event.tokensBefore.toLocaleString()} tokens to ${event.tokensAfter.toLocaleString()}`,
      }
    case 'job-waiting':
      return { kind: 'state', text: 'Waiting for the model', failure: event.message }
    case 'checks-finished':
      return { kind: 'state', text: describeProblemCount(event.problems.length) }
    case 'base-merged':
      return { kind: 'state', text: 'Merged the base branch', subject: event.conflicts.join(', ') }
    case 'branch-pushed':
      return { kind: 'state', text: `Pushed ${event.commit.slice(0, 12)} to`, subject: event.branch }
    case 'pull-request-opened':
      return { kind: 'state', text: event.draft ? 'Opened a draft pull request' : 'Opened a pull request' }
    case 'pull-request-changed':
      return { kind: 'state', text: `The pull request ${pullRequestStates[event.state]}` }
    case 'job-completed':
      return { kind: 'end', text: 'Completed' }
    case 'job-failed':
      return { kind: 'end', text: event.code === 'cancelled' ? 'Cancelled' : 'Failed', failure: event.message }
    default:
      // Ignores events of later versions.
      event satisfies never
      return null
  }
}

function describeTool({ tool, subject, outcome, message }: Extract<AgentJobEvent, { type: 'tool-called' }>): EventLine {
  const name = Object.hasOwn(toolNames, tool) ? toolNames[tool] : undefined
  return {
    kind: 'tool',
    text: name ?? `Called ${tool}`,
    ...(subject !== '' && { subject }),
    ...(outcome === 'failed' && { failure: message ?? 'The call failed.' }),
  }
}

function describeProblemCount(count: number): string {
  if (count === 0) return 'The checks found no new problems'
  return `The checks found ${countOf(count, 'problem')}`
}
