import type { Clock } from '../base/clock.ts'
import { correctSpending, reserveSpending } from '../store/spending.ts'
import type { Store } from '../store/store.ts'
import { answerBounds } from './answer-bounds.ts'

const dayMs = 86_400_000
const microPerUsd = 1_000_000

export interface SiteSpendingDeps {
  store: Store
  clock: Clock
}

/** What one answer may spend of its site's day. */
export interface AnswerSpending {
  /**
   * Replaces what was put aside by what was spent.
   *
   * @param isWhole False when the provider may charge for more than is known, as for a call that broke off: then no
   *   less counts than was put aside.
   */
  settle(knownUsd: number, isWhole: boolean): Promise<void>
}

/** For answers that cost nothing, and for sites without a ceiling. */
export const freeSpending: AnswerSpending = { settle: async () => {} }

/**
 * Puts the cost of a usual answer aside from what a site may spend in this UTC day.
 *
 * Counted in the database, so that it holds across replicas and restarts. The ceiling is passed only by what answers
 * that are under way cost beyond what was put aside for each of them.
 *
 * @returns Null when the ceiling is reached.
 */
export async function openSpending(
  { store, clock }: SiteSpendingDeps,
  siteId: string,
  usdMax: number,
): Promise<AnswerSpending | null> {
  const window = { siteId, windowStart: Math.floor(clock.now() / dayMs) * dayMs }
  const reserved = toMicro(answerBounds.reservedUsd)
  const isOpen = await reserveSpending(store.relaxed, {
    ...window,
    microUsd: reserved,
    microUsdMax: toMicro(usdMax),
  })
  if (!isOpen) return null
  return {
    async settle(knownUsd, isWhole) {
      const spent = isWhole ? toMicro(knownUsd) : Math.max(reserved, toMicro(knownUsd))
      await correctSpending(store.relaxed, window, spent - reserved)
    },
  }
}

/** Rounded up, so that many small amounts are not counted as nothing. */
function toMicro(usd: number): number {
  return Math.ceil(usd * microPerUsd - 1e-6)
}
