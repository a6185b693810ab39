import { callers, type InsightsSummary, type Tally } from '../contract/insights.ts'
import type { PublicTally, PublicView } from '../contract/insight-views.ts'
import { verdicts } from '../contract/verdicts.ts'
import { getOrganization } from '../store/accounts/organizations.ts'
import type { SharedView } from '../store/accounts/shared-views.ts'
import { getSite } from '../store/sites/sites.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import { dayMs, hourMs } from '../base/durations.ts'
import { type SummaryRequest, summarizeQuestions } from './summarize-questions.ts'

export interface PublicViewDeps extends StoreDeps {
  trialCounters: SummaryRequest['trialCounters']
}

/** The numbers of a shared view, and nothing else: what it lists is copied by name, and values are words of the contract. */
export async function readPublicView(deps: PublicViewDeps, view: SharedView): Promise<PublicView> {
  const { store, clock } = deps
  const bucket = view.days === 1 ? 'hour' : 'day'
  const width = bucket === 'hour' ? hourMs : dayMs
  const to = clock.now() + 1
  const from = Math.floor(to / width) * width - (view.days === 1 ? 23 : view.days - 1) * width
  const lengthMs = view.days * dayMs
  const summarize = async (period: { from: number; to: number }) => {
    const { organizationId, siteId, filter } = view
    const { verdict, ...rest } = filter
    const verdicts = verdict === undefined ? undefined : [verdict]
    const selected = { ...rest, ...period, verdicts, organizationId, siteId: siteId ?? undefined }
    return summarizeQuestions(store, { filter: selected, bucket, trialCounters: deps.trialCounters })
  }
  const now = await summarize({ from, to })
  const before = await summarize({ from: from - lengthMs, to: to - lengthMs })
  const organization = await getOrganization(store.durable, view.organizationId)
  const site = view.siteId === null ? null : await getSite(store.durable, view.siteId)
  return {
    name: view.name,
    organization: organization?.name ?? '',
    site: site?.name ?? null,
    filter: view.filter,
    days: view.days,
    from: now.from,
    to: now.to,
    expiresAt: new Date(view.expiresAt).toISOString(),
    total: toPublicTally(now.total),
    before: toPublicTally(before.total),
    buckets: now.buckets.map(({ startsAt, ...tally }) => ({ startsAt, ...toPublicTally(tally) })),
    bucket,
    firstTextMs: now.durations.firstTextMs,
    byVerdict: countKnown(now.byVerdict, verdicts),
    byCaller: countKnown(now.byCaller, callers),
  }
}

function toPublicTally({ questions, answered, unanswered, broken, helpful, unhelpful }: Tally): PublicTally {
  return { questions, answered, unanswered, broken, helpful, unhelpful }
}

/** Leaves out values that clients or older versions made up. */
function countKnown<Value extends string>(groups: InsightsSummary['byCaller'], known: readonly Value[]) {
  return groups.flatMap(({ value, questions }) => {
    const found = known.find((each) => each === value)
    return found === undefined ? [] : [{ value: found, questions }]
  })
}
