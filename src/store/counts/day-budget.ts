import { dayMs } from '../../base/durations.ts'
import type { Db } from '../schema.ts'
import { correctSpending, reserveSpending, type SpendingName } from './spending.ts'

/** Ceilings for the total cost of model calls in one UTC day. */
export interface DayBudget {
  /** Id of a site or project. */
  subject: string
  /** US dollars, for models with a known price. */
  usd: { name: SpendingName; ceiling: number | null }
  /** For models without a known price. Null: no ceiling. */
  tokens: { name: SpendingName; ceiling: number | null }
}

interface Amount {
  tokens: number
  /** Null for a model without a known price. */
  usd: number | null
}

/** Costs are counted in millionths of a dollar. */
export const microPerUsd = 1_000_000

/**
 * Reserves a call's maximum cost from the day's budget. Counted in the database, across replicas and restarts: spending
 * and reservations together never exceed the ceiling.
 *
 * @returns A function that replaces the reservation with the actual cost, on the day of the reservation; null if it
 *   does not fit.
 */
export async function reserveOfDay(
  db: Db,
  budget: DayBudget,
  { most, nowMs }: { most: Amount; nowMs: number },
): Promise<((cost: Amount) => Promise<void>) | null> {
  const { name, ceiling } = most.usd === null ? budget.tokens : budget.usd
  if (ceiling === null) return async () => undefined
  const place = { name, subject: budget.subject, windowStart: Math.floor(nowMs / dayMs) * dayMs }
  const toAmount = ({ tokens, usd }: Amount) => (most.usd === null ? Math.ceil(tokens) : toMicro(usd ?? most.usd))
  const amount = toAmount(most)
  const isOpen = await reserveSpending(db, { ...place, amount, ceiling: toCeiling(most, ceiling) })
  return isOpen ? (cost) => correctSpending(db, place, toAmount(cost) - amount) : null
}

function toCeiling({ usd }: Amount, ceiling: number): number {
  return usd === null ? ceiling : toMicro(ceiling)
}

/** Rounds up, so that many small amounts do not count as nothing. */
function toMicro(usd: number): number {
  return Math.ceil(usd * microPerUsd - 1e-6)
}
