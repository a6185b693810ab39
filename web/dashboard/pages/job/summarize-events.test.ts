import { expect, it } from 'vitest'
import type { AgentJobEvent } from '../../../../src/contract/agent-job-event.ts'
import { summarizeEvents } from './summarize-events.ts'

const numbered = (events: readonly AgentJobEvent[]) => events.map((event, index) => ({ seq: index + 1, event }))
const started: AgentJobEvent = { type: 'job-started', model: 'm', branch: 'b', baseCommit: 'c', instructions: [] }
const step: AgentJobEvent = { type: 'step-finished', step: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 }
const problem = { rule: 'link', path: 'a.mdx', line: 1, message: 'Broken.', severity: 'block' } as const

it('keeps the newest plan and check, and knows when to read the change and the job again', () => {
  const summary = summarizeEvents(
    numbered([
      { type: 'message-received', prompt: 'Do', round: 1 },
      started,
      { type: 'plan-changed', items: [{ text: 'Look', state: 'doing' }] },
      { type: 'plan-changed', items: [{ text: 'Look', state: 'done' }] },
      { type: 'checks-finished', problems: [problem] },
      step,
      { type: 'text-written', text: 'x' },
    ]),
  )

  expect(summary).toEqual({
    plan: [{ text: 'Look', state: 'done' }],
    problems: [problem],
    needsConsent: false,
    changeSeq: 6,
    stateSeq: 1,
  })
})

it('forgets the checks and the plan of an earlier round', () => {
  const events = numbered([{ type: 'checks-finished', problems: [problem] }, started])

  expect(summarizeEvents(events)).toMatchObject({ plan: [], problems: null })
})
