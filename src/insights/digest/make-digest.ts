import { discrepancyKinds } from '../../contract/discrepancies.ts'
import type { WeeklyDigest } from '../../contract/weekly-digest.ts'
import { tallySites } from '../../store/answers/asked-questions.ts'
import { listEndedJobs } from '../../store/facts/need-facts.ts'
import { listGaps } from '../../store/answers/gaps.ts'
import { listAllDiscrepancies } from '../../store/discrepancies/discrepancies.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import { listSuiteRuns } from '../../store/suite/suite-runs.ts'
import { weekMs } from '../../base/durations.ts'
import { findGaps, type GapDeps } from '../find-gaps.ts'

const topMax = 5
const textCharsMax = 200
/** As many as are kept. */
const runsMax = 200
const gapsMax = 500

export interface DigestRequest {
  site: Pick<Site, 'id' | 'slug' | 'name'>
  organizationId: string
  /** UTC milliseconds. */
  weekStart: number
}

/** What happened on a site in a week. Gaps and findings are those that are open now. */
export async function makeDigest(
  deps: GapDeps,
  { site, organizationId, weekStart }: DigestRequest,
): Promise<WeeklyDigest> {
  const { store } = deps
  const [from, to] = [weekStart, weekStart + weekMs]
  const isOfWeek = (time: number) => from <= time && time < to
  const gaps = await findGaps(deps, { id: site.id, organizationId })
  const open = gaps.filter(({ state }) => state === 'open')
  const known = await listGaps(store.durable, site.id, { limit: gapsMax, charsMax: 1 })
  const jobs = await listEndedJobs(store.durable, { organizationId, siteId: site.id, since: from })
  return {
    siteId: site.id,
    slug: site.slug,
    name: site.name,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    questions: await countQuestions(store, { siteId: site.id, organizationId, from, to }),
    gaps: {
      open: open.length,
      top: open.slice(0, topMax).map(({ name, asked }) => ({ question: cut(name), count: asked.length })),
    },
    better: {
      gapsClosed: known.filter(({ state, updatedAt }) => state === 'fixed' && isOfWeek(updatedAt)).length,
      jobsMerged: jobs.filter(({ pullRequest, updatedAt }) => pullRequest?.state === 'merged' && isOfWeek(updatedAt))
        .length,
      suite: await countTests(store, site.id, { from, to }),
    },
    drifted: await listFalse(store, site.id, isOfWeek),
  }
}

async function countQuestions(
  store: Store,
  { from, to, ...scope }: { siteId: string; organizationId: string; from: number; to: number },
): Promise<WeeklyDigest['questions']> {
  const tallies = await tallySites(store.durable, { ...scope, from: from - weekMs, to }, weekMs)
  const [before, now] = [0, 1].map((part) => tallies.find((tally) => tally.part === part))
  return {
    asked: now?.questions ?? 0,
    unanswered: now?.unanswered ?? 0,
    askedBefore: before?.questions ?? 0,
    unansweredBefore: before?.unanswered ?? 0,
  }
}

async function countTests(
  store: Store,
  siteId: string,
  { from, to }: { from: number; to: number },
): Promise<WeeklyDigest['better']['suite']> {
  const runs = await listSuiteRuns(store.durable, siteId, runsMax)
  const count = (end: number) => {
    const run = runs.find(({ startedAt }) => startedAt < end)
    return run === undefined ? null : { passed: run.passed, total: run.total }
  }
  const now = count(to)
  return now === null || now.total === 0 ? null : { now, before: count(from) }
}

async function listFalse(
  store: Store,
  siteId: string,
  isOfWeek: (time: number) => boolean,
): Promise<WeeklyDigest['drifted']> {
  const open = await Promise.all(
    discrepancyKinds.map((kind) => listAllDiscrepancies(store.durable, { siteId, kind, state: 'open' })),
  )
  const found = open.flat().filter(({ createdAt }) => isOfWeek(createdAt))
  const newest = found.toSorted((one, other) => other.createdAt - one.createdAt).slice(0, topMax)
  return {
    found: found.length,
    open: open.flat().length,
    top: newest.map(({ page, details }) => ({ page: cut(page), title: cut(details.title) })),
  }
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > textCharsMax ? `${line.slice(0, textCharsMax).toWellFormed()}…` : line
}
