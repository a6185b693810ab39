import type { z } from 'zod'
import type { questionFilterSchema } from '../../contract/insights.ts'
import type { QuestionFilter } from '../../store/answers/asked-questions.ts'
import { dayMs } from '../../base/durations.ts'
import type { AppContext } from '../app-env.ts'
import { findOwnSite } from '../requests/own-site.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import type { ServerDeps } from '../server-deps.ts'

const daysDefault = 30
const daysMax = 400
const hourDaysMax = 14

/**
 * The subset of the organization's questions that a request selects.
 *
 * @throws {AppError} `site_not_found`; `invalid_request` if the period ends before it begins or is too long.
 */
export async function readQuestionFilter(
  c: AppContext,
  deps: Pick<ServerDeps, 'store' | 'clock'>,
  query: z.output<typeof questionFilterSchema>,
): Promise<QuestionFilter> {
  const { siteId, from, to, verdict, page, ...rest } = query
  const site = siteId === undefined ? undefined : await findOwnSite(c, deps, siteId)
  return {
    ...rest,
    ...readPeriod(deps.clock.now(), from, to),
    organizationId: c.get('organizationId'),
    siteId: site?.id,
    verdicts: verdict === undefined ? undefined : [verdict],
    page: page?.replace(/#.*$/s, ''),
    search: rest.search === '' ? undefined : rest.search,
  }
}

function readPeriod(now: number, from: string | undefined, to: string | undefined) {
  // Include an answer of this very millisecond.
  const end = to === undefined ? now + 1 : Date.parse(to)
  const start = from === undefined ? end - daysDefault * dayMs : Date.parse(from)
  if (start >= end) throw invalidRequest([{ path: 'from', message: 'is not before `to`' }])
  if (end - start > daysMax * dayMs) {
    throw invalidRequest([
      { path: 'from', message: `is more than ${daysMax} days before \`to\`: request a shorter period` },
    ])
  }
  return { from: Math.max(0, start), to: end }
}

/** @throws {AppError} `invalid_request` for more hours than a chart can show. */
export function requireFewBuckets(bucket: 'hour' | 'day', { from, to }: Pick<QuestionFilter, 'from' | 'to'>): void {
  if (bucket === 'day' || to - from <= hourDaysMax * dayMs + 1) return
  throw invalidRequest([{ path: 'bucket', message: `can be \`hour\` for at most ${hourDaysMax} days: use \`day\`` }])
}
