import { expect, it } from 'vitest'
import { describeCost, describeJobState, describePullRequestState, nameJob } from './job-state.ts'

it('tells how a job has ended', () => {
  const failed = (code: 'cancelled' | 'budget_reached' | 'model_required') =>
    describeJobState({ status: 'failed', failure: { code, message: '' } }).label

  expect(describeJobState({ status: 'active', failure: null }).label).toBe('Working')
  expect(describeJobState({ status: 'completed', failure: null }).label).toBe('Completed')
  expect([failed('cancelled'), failed('budget_reached'), failed('model_required')]).toEqual([
    'Cancelled',
    'Budget reached',
    'Failed',
  ])
})

it('calls a draft so only while it is open', () => {
  expect(describePullRequestState({ state: 'open', draft: true }).label).toBe('Draft')
  expect(describePullRequestState({ state: 'merged', draft: true }).label).toBe('Merged')
})

it('names a job by its title, else by the first line of what was asked', () => {
  expect(nameJob({ title: 'Fix links', prompt: 'x' })).toBe('Fix links')
  expect(nameJob({ title: null, prompt: '\nReplace a\nby b' })).toBe('Replace a')
  expect(nameJob({ title: null, prompt: 'x'.repeat(500) })).toHaveLength(121)
})

it('tells small costs, and none where the price is not known', () => {
  expect([describeCost(0), describeCost(0.0123), describeCost(null)]).toEqual(['$0.00', '$0.0123', 'unknown'])
})
