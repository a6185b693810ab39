import type { AgentJobEvent } from '../../../../src/contract/agent-job-event.ts'

/** An event as a line of a list. */
export interface EventLine {
  kind: 'message' | 'text' | 'tool' | 'state' | 'end'
  /** What happened, in a few words. */
  text: string
  /** What it happened to: a path, a query, a branch. */
  subject?: string
  /** Why it went wrong. */
  failure?: string
}

/** What was asked for reads better than the names of tools. */
const toolNames: Readonly<Record<string, string>> = {
  check: 'Checked the change',
  delete: 'Deleted',
  edit: 'Edited',
  finish: 'Finished the work',
  grep: 'Looked in the files for',
  list: 'Listed the files',
  move: 'Moved',
  plan: 'Made a plan',
  read: 'Read',
  search: 'Searched the site for',
  write: 'Wrote',
}

const pullRequestStates = { open: 'is open', merged: 'was merged', closed: 'was closed' } as const

/** Null for what stands elsewhere on the page. */
export function describeEvent(event: AgentJobEvent): EventLine | null {
  switch (event.type) {
    case 'message-received':
      return { kind: 'message', text: event.prompt }
    case 'job-started':
      return { kind: 'state', text: `Began with ${event.model} at`, subject: event.baseCommit.slice(0, 12) }
    case 'job-resumed':
      return { kind: 'state', text: `Went on after step ${event.step}` }
    case 'text-written':
      return { kind: 'text', text: event.text }
    case 'tool-called':
      return describeTool(event)
    case 'plan-changed':
    case 'step-finished':
      return null
    case 'checks-finished':
      return { kind: 'state', text: describeProblemCount(event.problems.length) }
    case 'branch-pushed':
      return { kind: 'state', text: `Pushed ${event.commit.slice(0, 12)} to`, subject: event.branch }
    case 'pull-request-opened':
      return { kind: 'state', text: event.draft ? 'Opened a draft of a pull request' : 'Opened a pull request' }
    case 'pull-request-changed':
      return { kind: 'state', text: `The pull request ${pullRequestStates[event.state]}` }
    case 'job-completed':
      return { kind: 'end', text: 'Completed' }
    case 'job-failed':
      return { kind: 'end', text: event.code === 'cancelled' ? 'Cancelled' : 'Failed', failure: event.message }
    default:
      // Events of later versions are passed over.
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
    ...(outcome === 'failed' && { failure: message ?? 'It failed.' }),
  }
}

function describeProblemCount(count: number): string {
  if (count === 0) return 'The checks found nothing new'
  return count === 1 ? 'The checks found a problem' : `The checks found ${count} problems`
}
