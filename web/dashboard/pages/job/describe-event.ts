import type { AgentJobEvent } from '../../../../src/contract/agent-job-event.ts'
import { say, sayCount } from '../../../words/say.ts'

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
  check: say('Checked the change'),
  delete: say('Deleted'),
  edit: say('Edited'),
  finish: say('Finished the work'),
  grep: say('Searched the files for'),
  list: say('Listed the files'),
  move: say('Moved'),
  plan: say('Updated the plan'),
  read: say('Read'),
  search: say('Searched the site for'),
  write: say('Wrote'),
}

const pullRequestStates = { open: say('is open'), merged: say('was merged'), closed: say('was closed') } as const

/** Null for events shown elsewhere on the page. */
export function describeEvent(event: AgentJobEvent): EventLine | null {
  switch (event.type) {
    case 'message-received':
      return { kind: 'message', text: event.prompt }
    case 'job-started':
      return {
        kind: 'state',
        text: say('Started with {model} at', { model: event.model }),
        subject: event.baseCommit.slice(0, 12),
      }
    case 'job-resumed':
      return { kind: 'state', text: say('Resumed after step {step}', { step: event.step }) }
    case 'text-written':
      return { kind: 'text', text: event.text }
    case 'tool-called':
      return describeTool(event)
    case 'plan-changed':
    case 'step-finished':
      return null
    case 'results-elided':
      return { kind: 'state', text: say('Left out old results, about {tokens} tokens', { tokens: event.tokens }) }
    case 'conversation-compacted':
      return {
        kind: 'state',
        text: say('Summarized the conversation: {tokensBefore} tokens to {tokensAfter}', {
          tokensBefore: event.tokensBefore,
          tokensAfter: event.tokensAfter,
        }),
      }
    case 'job-waiting':
      return { kind: 'state', text: say('Waiting for the model'), failure: event.message }
    case 'checks-finished':
      return { kind: 'state', text: describeProblemCount(event.problems.length) }
    case 'base-merged':
      return { kind: 'state', text: say('Merged the base branch'), subject: event.conflicts.join(', ') }
    case 'branch-pushed':
      return {
        kind: 'state',
        text: say('Pushed {commit} to', { commit: event.commit.slice(0, 12) }),
        subject: event.branch,
      }
    case 'pull-request-opened':
      return { kind: 'state', text: event.draft ? say('Opened a draft pull request') : say('Opened a pull request') }
    case 'pull-request-changed':
      return {
        kind: 'state',
        text: say('The pull request {pullRequestStates}', { pullRequestStates: pullRequestStates[event.state] }),
      }
    case 'job-completed':
      return { kind: 'end', text: say('Completed') }
    case 'job-failed':
      return {
        kind: 'end',
        text: event.code === 'cancelled' ? say('Cancelled') : say('Failed'),
        failure: event.message,
      }
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
    text: name ?? say('Called {tool}', { tool }),
    ...(subject !== '' && { subject }),
    ...(outcome === 'failed' && { failure: message ?? say('The call failed.') }),
  }
}

function describeProblemCount(count: number): string {
  if (count === 0) return say('The checks found no new problems')
  return sayCount(count, 'The checks found {count} problem', 'The checks found {count} problems')
}
