import type { askers as askerNames, Caller, feedbackStates as states } from '../../../../src/contract/insights.ts'
import type { verdicts as names } from '../../../../src/contract/verdicts.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { say } from '../../../words/say.ts'

type Verdict = (typeof names)[number]
type Feedback = (typeof states)[number]

const verdictWords: Readonly<Record<Verdict, { label: string; tone: Tone }>> = {
  supported: { label: say('Answered'), tone: 'success' },
  partial: { label: say('Partly supported'), tone: 'warning' },
  'nearest-page': { label: say('Nearest page only'), tone: 'warning' },
  conflicting: { label: say('Pages disagree'), tone: 'warning' },
  unsupported: { label: say('Unsupported'), tone: 'danger' },
  unanswered: { label: say('Unanswered'), tone: 'warning' },
  failed: { label: say('Failed'), tone: 'danger' },
  disconnected: { label: say('Abandoned'), tone: 'neutral' },
}

const feedbackWords: Readonly<Record<Feedback, { label: string; tone: Tone }>> = {
  helpful: { label: say('Helpful'), tone: 'success' },
  unhelpful: { label: say('Not helpful'), tone: 'danger' },
  none: { label: say('No feedback'), tone: 'neutral' },
}

const callerWords: Readonly<Record<Caller, string>> = {
  widget: say('Widget'),
  page: say('Site page'),
  cli: say('Command line'),
  mcp: 'MCP',
  api: 'API',
  agent: say('Missed by agents'),
  slack: 'Slack',
  discord: 'Discord',
}

const askerWords: Readonly<Record<(typeof askerNames)[number], string>> = {
  people: say('People'),
  agents: say('Agents'),
}

// The values of the contract, without importing its schemas into the bundle.
export const verdicts = Object.keys(verdictWords) as readonly Verdict[]
export const feedbackStates = Object.keys(feedbackWords) as readonly Feedback[]
export const askers = Object.keys(askerWords) as readonly (keyof typeof askerWords)[]
export const callers = Object.keys(callerWords) as readonly Caller[]

/** Falls back to the name for verdicts of later versions. */
export function describeVerdict(verdict: string | null): { label: string; tone: Tone } {
  if (verdict === null) return { label: say('No verdict'), tone: 'neutral' }
  return Object.hasOwn(verdictWords, verdict)
    ? verdictWords[verdict as Verdict]
    : { label: verdict, tone: 'neutral' as const }
}

export function describeFeedback(feedback: Feedback): { label: string; tone: Tone } {
  return feedbackWords[feedback]
}

export function describeCaller(caller: string | null): string {
  if (caller === null) return say('Unknown')
  return Object.hasOwn(callerWords, caller) ? callerWords[caller as Caller] : caller
}

export function describeAsker(asker: (typeof askers)[number]): string {
  return askerWords[asker]
}
