import { describe, expect, it } from 'vitest'
import { findSpentBudget } from './job-budget.ts'
import { nameBranch } from '../jobs/name-branch.ts'

const budgets = {
  steps: 10,
  tokens: 1_000,
  activeMs: 60_000,
  roundUsd: 2,
  projectDayUsd: 10,
  projectDayTokens: 10_000,
  waitsForModel: false,
}
const used = { steps: 9, tokens: 999, activeMs: 59_999, costUsd: 1.99 }

describe('the budget of a round', () => {
  it('is not spent before its bounds', () => {
    expect(findSpentBudget(budgets, used)).toBeNull()
  })

  it.each([
    ['DOCENT_AGENT_MAX_STEPS', { steps: 10 }],
    ['DOCENT_AGENT_MAX_TOKENS', { tokens: 1_000 }],
    ['DOCENT_AGENT_MAX_MINUTES', { activeMs: 60_000 }],
    ['DOCENT_AGENT_MAX_USD', { costUsd: 2 }],
  ])('is spent at each of them, and names %s', (setting, change) => {
    const stop = findSpentBudget(budgets, { ...used, ...change })

    expect(stop).toMatchObject({ code: 'budget_reached', message: expect.stringContaining(setting) })
  })
})

it.each([
  ['Replace "A" by "B" on every page, please!', 'docent/replace-a-by-b-on-every-page-please-9abcdefg'],
  ['Übersetze die Seite', 'docent/ubersetze-die-seite-9abcdefg'],
  ['日本語', 'docent/change-9abcdefg'],
  ['--upload-pack=x ../../etc', 'docent/upload-pack-x-etc-9abcdefg'],
])('names a branch after the prompt %s', (prompt, branch) => {
  expect(nameBranch(prompt, 'job_01M7YHQ2G9S9J7TE4449ABCDEFG')).toBe(branch)
})
