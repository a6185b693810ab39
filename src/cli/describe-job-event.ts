import type { AgentJobEvent } from '../contract/agent-job-event.ts'

const planSigns = { open: '[ ]', doing: '[~]', done: '[x]' } as const

/** Formats an event for a terminal, stripped of control characters; null for events not worth showing. */
export function describeJobEvent(event: AgentJobEvent): string | null {
  const line = describe(event)
  // Job texts come from models and files: control characters could redraw the terminal.
  return line === null ? null : line.replaceAll(/[\p{Cc}\p{Cf}]/gu, (sign) => (sign === '\n' ? sign : ' '))
}

function describe(event: AgentJobEvent): string | null {
  switch (event.type) {
    case 'message-received':
      return `> ${event.prompt}`
    case 'job-started':
      return [
        `started with ${event.model} from ${event.baseCommit.slice(0, 12)}, writes to ${event.branch}`,
        ...(event.contextRepositories ?? []).map(
          ({ name, commit, problem }) => `  reads @${name} ${problem ?? `at ${commit?.slice(0, 12) ?? ''}`}`,
        ),
      ].join('\n')
    case 'job-resumed':
      return `resumed after step ${event.step}`
    case 'text-written':
      return `  ${event.text}`
    case 'tool-called':
      return event.outcome === 'returned'
        ? `  ${event.tool} ${event.subject}`
        : `  ${event.tool} ${event.subject}\n    failed: ${event.message}`
    case 'plan-changed':
      return event.items.map(({ state, text }) => `  ${planSigns[state]} ${text}`).join('\n')
    case 'checks-finished':
      return event.problems.length === 0
        ? '  checks: no new problems'
        : event.problems
            .map(({ path, line, message }) => `  ${path}${line === null ? '' : `:${line}`} ${message}`)
            .join('\n')
    case 'step-finished':
      return null
    case 'results-elided':
      return `  left out old results, about ${event.tokens} tokens`
    case 'conversation-compacted':
      return `  summarized the conversation: ${event.tokensBefore} tokens to ${event.tokensAfter}`
    case 'job-waiting':
      return `waiting until ${event.until}: ${event.message}`
    case 'base-merged': {
      const left = event.conflicts.length === 0 ? '' : `, conflicts in ${event.conflicts.join(', ')}`
      return `merged ${event.commit.slice(0, 12)} of the base branch${left}`
    }
    case 'branch-pushed':
      return `pushed ${event.commit.slice(0, 12)} to ${event.branch}`
    case 'pull-request-opened':
      return `opened ${event.draft ? 'a draft' : 'a pull request'}: ${event.url}`
    case 'pull-request-changed':
      return `the pull request is ${event.state}: ${event.url}`
    case 'job-completed':
      return `done: ${event.summary}${event.prLink === null ? '' : `\n${event.prLink}`}`
    case 'job-failed':
      return `failed: ${event.message}${event.prLink === null ? '' : `\n${event.prLink}`}`
  }
}
