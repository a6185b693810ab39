import type { Clock } from '../base/clock.ts'
import { type Ceiling, chooseCeiling, readSiteSettings } from '../contract/site-settings.ts'
import type { CallBounds, CallCost, CostReservation, ModelAccount } from '../models/model-account.ts'
import { type DayBudget, reserveOfDay } from '../store/day-budget.ts'
import type { Store } from '../store/store.ts'
import { answerBounds } from './answer-bounds.ts'

/** What a site may spend in a UTC day where it has no ceiling of its own. */
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

/** A site, as far as its account needs it. */
export interface PayingSite {
  id: string
  settings: Readonly<Record<string, unknown>>
}

/**
 * Pays for one answer from the day of its site. Every call reserves the most that it can cost before it is made, so that
 * neither the day of the site nor the bound of one answer is passed, however many answers run at once.
 */
export class SiteAccount implements ModelAccount {
  readonly #deps: SiteAccountDeps
  readonly #budget: DayBudget
  /** What calls have cost, and what is reserved for those whose cost is not known. */
  #usd = 0
  #tokens = 0
  #unknownCosts = 0
  #isOverCeiling = false

  constructor(deps: SiteAccountDeps, site: PayingSite) {
    this.#deps = deps
    this.#budget = readBudget(deps.siteCeilings, site)
  }

  /** Whether a call was refused because of the ceiling of the day. */
  get isOverCeiling(): boolean {
    return this.#isOverCeiling
  }

  /** US dollars of all calls; null where that of one is not known. */
  get costUsd(): number | null {
    return this.#unknownCosts === 0 ? this.#usd : null
  }

  /**
   * Whether half of what one answer may take is used up. The next call has to be the last one then: the other half is
   * enough for it.
   */
  get isHalfSpent(): boolean {
    return this.#usd >= answerBounds.costUsd / 2 || this.#tokens >= answerBounds.totalTokens / 2
  }

  readBounds(): CallBounds {
    // A call that the whole day does not hold is cut as well: under a low ceiling there are short answers, not none.
    return {
      usd: Math.min(answerBounds.costUsd - this.#usd, this.#budget.usd.ceiling ?? Infinity),
      tokens: Math.min(answerBounds.totalTokens - this.#tokens, this.#budget.tokens.ceiling ?? Infinity),
      promptTokens: answerBounds.promptTokens,
      isPromptCut: true,
    }
  }

  async reserve(most: CallCost): Promise<CostReservation | null> {
    const { store, clock } = this.#deps
    // Before anything is awaited, so that a call at the same time sees it.
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
