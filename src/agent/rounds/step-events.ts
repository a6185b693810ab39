import { maskSecrets } from '../../base/mask-secrets.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { LoopStep } from '../../models/loop/run-tool-loop.ts'
import type { AgentToolState } from '../tools/agent-tool.ts'

const textCharsMax = 2_000
const subjectCharsMax = 200
const problemsMax = 40

/** The public events of a step, with recognizable secrets masked. */
export function describeStepEvents(number: number, step: LoopStep, state: AgentToolState): AgentJobEvent[] {
  const events: AgentJobEvent[] = []
  const text = maskSecrets(step.text.trim()).slice(0, textCharsMax)
  // The end of the job reports a refusal.
  if (text !== '' && step.refusal === null) events.push({ type: 'text-written', text })
  for (const { toolName, input, outcome } of step.calls) {
    events.push({
      type: 'tool-called',
      tool: toolName.slice(0, subjectCharsMax),
      subject: maskSecrets(findSubject(input)).slice(0, subjectCharsMax),
      outcome: outcome.type,
      message: outcome.type === 'failed' ? maskSecrets(outcome.message).slice(0, textCharsMax) : null,
    })
  }
  const called = new Set(step.calls.map(({ toolName }) => toolName))
  if (called.has('plan')) events.push({ type: 'plan-changed', items: state.plan })
  if (called.has('finish')) {
    events.push({ type: 'checks-finished', problems: state.problems.slice(0, problemsMax) })
  }
  const { inputTokens, outputTokens } = step.usage
  const { cachedTokens, costUsd } = step
  events.push({ type: 'step-finished', step: number, inputTokens, cachedTokens, outputTokens, costUsd })
  return events
}

/** The subject of a tool call, in a few words. */
function findSubject(input: JsonValue): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ''
  const { path, from, to, pattern, query, under, title } = input
  if (typeof from === 'string' && typeof to === 'string') return `${from} → ${to}`
  const named = [path, pattern, query, title, under].find((value) => typeof value === 'string')
  return typeof named === 'string' ? named : ''
}
