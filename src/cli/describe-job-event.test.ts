import { expect, it } from 'vitest'
import { describeJobEvent } from './describe-job-event.ts'

it('shows a step that failed with its reason, and a plan as a list', () => {
  expect(
    describeJobEvent({ type: 'tool-called', tool: 'edit', subject: 'a.mdx', outcome: 'failed', message: 'Not there.' }),
  ).toBe('  edit a.mdx\n    failed: Not there.')
  expect(
    describeJobEvent({
      type: 'plan-changed',
      items: [
        { text: 'Read', state: 'done' },
        { text: 'Write', state: 'doing' },
      ],
    }),
  ).toBe('  [x] Read\n  [~] Write')
  expect(describeJobEvent({ type: 'step-finished', step: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 })).toBeNull()
})

it('lets no text of a job move the cursor, clear the screen or turn the writing around', () => {
  const line = describeJobEvent({ type: 'text-written', text: 'a\u001B[2Jb\u0007c\rd\u202Ee\u200Bf' })

  expect(line).toBe('  a [2Jb c d e f')
})
