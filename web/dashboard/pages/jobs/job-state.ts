import type { AgentJobResource } from '../../../../src/contract/agent-job.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

export interface JobState {
  tone: Tone
  label: string
}

/** Badge for a job's state. */
export function describeJobState({ status, failure }: Pick<AgentJobResource, 'status' | 'failure'>): JobState {
  if (status === 'active') return { tone: 'accent', label: say('Working') }
  if (status === 'completed') return { tone: 'success', label: say('Completed') }
  if (failure?.code === 'cancelled') return { tone: 'neutral', label: say('Cancelled') }
  if (failure?.code === 'budget_reached') return { tone: 'warning', label: say('Budget reached') }
  return { tone: 'danger', label: say('Failed') }
}

const pullRequestTones = { open: 'accent', merged: 'success', closed: 'neutral' } as const
const pullRequestLabels = { open: say('Open'), merged: say('Merged'), closed: say('Closed') } as const

export function describePullRequestState({
  state,
  draft,
}: {
  state: keyof typeof pullRequestTones
  draft: boolean
}): JobState {
  if (draft && state === 'open') return { tone: 'neutral', label: say('Draft') }
  return { tone: pullRequestTones[state], label: pullRequestLabels[state] }
}

/** Title of a job or, before it has one, the beginning of its prompt. */
export function nameJob({ title, prompt }: Pick<AgentJobResource, 'title' | 'prompt'>): string {
  if (title !== null) return title
  const line = prompt.trim().split('\n')[0] ?? ''
  return line.length > nameCharsMax ? `${line.slice(0, nameCharsMax)}…` : line
}

const nameCharsMax = 120

const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

/** Null if part of the usage has no known price. */
export function describeCost(costUsd: number | null): string {
  return costUsd === null ? say('unknown') : dollars.format(costUsd)
}
