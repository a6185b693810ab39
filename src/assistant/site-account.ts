import type { Clock } from '../base/clock.ts'
import { type Ceiling, chooseCeiling, readSiteSettings } from '../contract/site-settings.ts'
import type { CallBounds, CallCost, CostReservation, ModelAccount } from '../models/calls/model-account.ts'
import { type DayBudget, reserveOfDay } from '../store/counts/day-budget.ts'
import type { Store } from '../store/store.ts'
import { answerBounds } from './answer-bounds.ts'

/** What a site without its own ceiling may spend in a UTC day. */
export interface SiteCeilings {
  /** US dollars. */
  usd: Ceiling
  /** Tokens of models without a known price. */
  tokens: Ceiling
}

export interface SiteAccountDeps {
  store: Store
  clock: Clock
  siteCeilings: SiteCeilings
}

/** The properties of a site that its account needs. */
export interface PayingSite {
  id: string
  settings: Readonly<Record<string, unknown>>
}

/**
 * Pays for one answer from its site's daily ceiling. Every call reserves its maximum cost in advance, so that neither the
 * ceiling nor the bound of one answer is exceeded, however many answers run at once.
 */
export class SiteAccount implements ModelAccount {
  readonly #deps: SiteAccountDeps
  readonly #budget: DayBudget
  /** The cost of all calls, with the reservation of those whose cost is unknown. */
  #usd = 0
  #tokens = 0
  #unknownCosts = 0
  #isOverCeiling = false

  constructor(deps: SiteAccountDeps, site: PayingSite) {
    this.#deps = deps
    this.#budget = readBudget(deps.siteCeilings, site)
  }

  /** Whether a call was refused because of the daily ceiling. */
  get isOverCeiling(): boolean {
    return this.#isOverCeiling
  }

  /** US dollars of all calls; null if the cost of one is unknown. */
  get costUsd(): number | null {
    return this.#unknownCosts === 0 ? this.#usd : null
  }

  /**
   * Whether half of the answer's budget is spent. The next call must then be the last: the other half suffices for it.
   */
  get isHalfSpent(): boolean {
    return this.#usd >= answerBounds.costUsd / 2 || this.#tokens >= answerBounds.totalTokens / 2
  }

  readBounds(): CallBounds {
    // A call above the whole daily ceiling is cut too: a low ceiling should give short answers rather than none.
    return {
      usd: Math.min(answerBounds.costUsd - this.#usd, this.#budget.usd.ceiling ?? Infinity),
      tokens: Math.min(answerBounds.totalTokens - this.#tokens, this.#budget.tokens.ceiling ?? Infinity),
      promptTokens: answerBounds.promptTokens,
      isPromptCut: true,
    }
  }

  async reserve(most: CallCost): Promise<CostReservation | null> {
    const { store, clock } = this.#deps
    // Before the first await, so that a concurrent call sees it.
    this.#add(most, 1)
    this.#unknownCosts++
    const correct = await reserveOfDay(store.relaxed, this.#budget, { most, nowMs: clock.now() })
    if (correct === null) {
      this.#isOverCeiling = true
      this.#add(most, -1)
      this.#unknownCosts--
      return null
    }
    return {
      settle: async (cost, isKnown) => {
        this.#add(most, -1)
        this.#add(cost, 1)
        if (isKnown && cost.usd !== null) this.#unknownCosts--
        await correct(cost)
      },
    }
  }

  #add({ usd, tokens }: CallCost, sign: 1 | -1): void {
    this.#usd += sign * (usd ?? 0)
    this.#tokens += sign * tokens
  }
}

function readBudget({ usd, tokens }: SiteCeilings, { id, settings }: PayingSite): DayBudget {
  const { dailyCostUsdMax, dailyTokensMax } = readSiteSettings(settings)
  return {
    subject: id,
    usd: { name: 'site-cost', ceiling: chooseCeiling(dailyCostUsdMax, usd) },
    tokens: { name: 'site-tokens', ceiling: chooseCeiling(dailyTokensMax, tokens) },
  }
}
