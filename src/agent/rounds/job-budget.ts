import type { AgentBudgets } from '../agent-deps.ts'
import type { JobCheckpoint, JobStop } from './job-checkpoint.ts'

/** Use of a round. */
export type RoundUse = Pick<JobCheckpoint, 'tokens' | 'costUsd' | 'activeMs'> & { steps: number }

/** @returns Null while the round is within all of its budgets. */
export function findSpentBudget(budgets: AgentBudgets, used: RoundUse): JobStop | null {
  if (used.steps >= budgets.steps) return reached(`${budgets.steps} steps`, 'DOCENT_AGENT_MAX_STEPS')
  if (used.tokens >= budgets.tokens) return reached(`${format(budgets.tokens)} tokens`, 'DOCENT_AGENT_MAX_TOKENS')
  if (used.costUsd >= budgets.roundUsd) return reached(`${budgets.roundUsd} US dollars`, 'DOCENT_AGENT_MAX_USD')
  if (used.activeMs >= budgets.activeMs) return timeReached(budgets)
  return null
}

export function timeReached({ activeMs }: AgentBudgets): JobStop {
  return reached(`${Math.round(activeMs / 60_000)} minutes`, 'DOCENT_AGENT_MAX_MINUTES')
}

/** From this share of a budget on, the model is asked to come to an end. */
const nearlySpent = 0.75

/** Whether a step took a round past three quarters of one of its budgets. */
export function isNearlySpent(budgets: AgentBudgets, before: RoundUse, after: RoundUse): boolean {
  const share = ({ steps, tokens, costUsd, activeMs }: RoundUse) =>
    Math.max(steps / budgets.steps, tokens / budgets.tokens, costUsd / budgets.roundUsd, activeMs / budgets.activeMs)
  return share(before) < nearlySpent && share(after) >= nearlySpent
}

function reached(amount: string, setting: string): JobStop {
  const message = `The job has used its ${amount}. The work so far is kept: send a message to continue, or raise ${setting}.`
  return { code: 'budget_reached', message }
}

/** Why a call was refused: it could exceed the rest of the round's budget or of the project's day. */
export function describeRefusedCall(budgets: AgentBudgets, isDayReached: boolean): JobStop {
  const { roundUsd, tokens, projectDayUsd, projectDayTokens } = budgets
  const message = isDayReached
    ? `The next model call could exceed what this project's jobs may use in a day (UTC): ${projectDayUsd} US dollars, or ${format(projectDayTokens)} tokens for models without a known price. The work so far is kept: send a message tomorrow to continue, or raise DOCENT_AGENT_DAY_USD or DOCENT_AGENT_DAY_TOKENS.`
    : `The next model call could exceed the job's budget: ${roundUsd} US dollars, or ${format(tokens)} tokens for models without a known price. The work so far is kept: send a message to continue, or raise DOCENT_AGENT_MAX_USD or DOCENT_AGENT_MAX_TOKENS.`
  return { code: 'budget_reached', message }
}

function format(count: number): string {
  return count.toLocaleString('en')
}
