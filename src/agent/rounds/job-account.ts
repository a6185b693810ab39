import type { CallBounds, CallCost, CostReservation, ModelAccount } from '../../models/calls/model-account.ts'
import { type DayBudget, reserveOfDay } from '../../store/counts/day-budget.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { describeRefusedCall } from './job-budget.ts'
import type { JobCheckpoint, JobStop } from './job-checkpoint.ts'

type JobAccountDeps = Pick<AgentDeps, 'store' | 'clock' | 'budgets'>

/** Charges a round's model calls to the budgets of the round and of the project's day. */
export class JobAccount implements ModelAccount {
  readonly #deps: JobAccountDeps
  readonly #day: DayBudget
  #usd: number
  #tokens: number
  #isDayReached = false

  constructor(deps: JobAccountDeps, projectId: string, used: Pick<JobCheckpoint, 'tokens' | 'costUsd'>) {
    const { projectDayUsd, projectDayTokens } = deps.budgets
    this.#deps = deps
    this.#usd = used.costUsd
    this.#tokens = used.tokens
    this.#day = {
      subject: projectId,
      usd: { name: 'job-cost', ceiling: projectDayUsd },
      tokens: { name: 'job-tokens', ceiling: projectDayTokens },
    }
  }

  /** Why a call was refused. */
  get refusal(): JobStop {
    return describeRefusedCall(this.#deps.budgets, this.#isDayReached)
  }

  readBounds(): CallBounds {
    const { roundUsd, tokens, projectDayUsd, projectDayTokens } = this.#deps.budgets
    return {
      usd: Math.min(roundUsd - this.#usd, projectDayUsd),
      tokens: Math.min(tokens - this.#tokens, projectDayTokens),
      promptTokens: Infinity,
      isPromptCut: false,
    }
  }

  async reserve(most: CallCost): Promise<CostReservation | null> {
    const { store, clock } = this.#deps
    const correct = await reserveOfDay(store.relaxed, this.#day, { most, nowMs: clock.now() })
    this.#isDayReached = correct === null
    if (correct === null) return null
    this.#add(most, 1)
    return {
      settle: async (cost) => {
        this.#add(most, -1)
        this.#add(cost, 1)
        await correct(cost)
      },
      // The step is repeated, and must not count twice. The project's day keeps the reservation.
      breakOff: (seen) => {
        this.#add(most, -1)
        this.#add(seen, 1)
      },
    }
  }

  #add({ usd, tokens }: CallCost, sign: 1 | -1): void {
    this.#usd += sign * (usd ?? 0)
    if (usd === null) this.#tokens += sign * tokens
  }
}
