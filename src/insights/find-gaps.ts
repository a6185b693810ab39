import type { IdSource } from '../base/ids.ts'
import type { AskedQuestion } from '../store/answers/asked-questions.ts'
import { getGap, insertGaps, listGaps, type NamedGap, updateGap } from '../store/answers/gaps.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import { dayMs } from '../base/durations.ts'
import type { QuestionCluster } from './cluster-questions.ts'
import type { ClusterThread } from './cluster-thread.ts'
import { listNewestQuestions, toClustered } from './group-topics.ts'

export interface GapDeps extends StoreDeps {
  ids: IdSource
  clusters: ClusterThread
}

export interface GapSite {
  id: string
  organizationId: string
}

/** A gap with the questions that reveal it. */
export interface FoundGap extends NamedGap {
  /** The most typical question of the group, in a reader's words. */
  name: string
  terms: string[]
  /** Newest first. */
  asked: AskedQuestion[]
}

/** Older questions say nothing about what is missing now. */
const lookbackMs = 90 * dayMs
/** Length limits of questions and answers, which may be asked again and compared side by side. */
const charsMax = { question: 8_000, answer: 8_000 }
/** Most gaps stored per site: more than anyone works through. */
const gapsMax = 500

/**
 * Finds what a site's documentation lacks: groups the questions that got no answer, only a partial one, or one that did
 * not help.
 *
 * A group is stored when first seen, keyed by its leading question, which remains the leader, so that the group keeps
 * its id and state as questions come and go.
 *
 * @returns Most asked first.
 */
export async function findGaps(deps: GapDeps, site: GapSite): Promise<FoundGap[]> {
  const { store, clock } = deps
  const now = clock.now()
  const stored = await listGaps(store.durable, site.id, { limit: gapsMax, charsMax: charsMax.question })
  const filter = { organizationId: site.organizationId, siteId: site.id, from: now - lookbackMs, to: now + 1 }
  const asked = await listNewestQuestions(store, { ...filter, isLacking: true }, charsMax)
  const seeds = stored.map(({ questionId, question, askedAt }) => ({ id: questionId, text: question, askedAt }))
  const clusters = await deps.clusters.cluster(asked.map(toClustered), seeds)
  const known = await storeNew(deps, site.id, stored, clusters)
  const found = clusters.flatMap(({ leader, central, terms, questions }) => {
    const gap = known.get(leader.id)
    return gap === undefined
      ? []
      : [
          toFound(
            { ...gap, name: central.text, terms },
            questions.map((each) => each.asked),
          ),
        ]
  })
  for (const gap of found) await reopen(deps, gap)
  return found.sort((one, other) => other.asked.length - one.asked.length || (one.id < other.id ? 1 : -1))
}

/** Finds one gap of a site, or null. */
export async function findGap(deps: GapDeps, site: GapSite, id: string): Promise<FoundGap | null> {
  const stored = await getGap(deps.store.durable, id)
  if (stored?.siteId !== site.id) return null
  return (
    (await findGaps(deps, site)).find((gap) => gap.id === id) ??
    toFound({ ...stored, name: stored.question, terms: [] }, [])
  )
}

async function storeNew(
  { store, clock, ids }: GapDeps,
  siteId: string,
  stored: readonly NamedGap[],
  clusters: readonly QuestionCluster<ReturnType<typeof toClustered>>[],
): Promise<Map<string, NamedGap>> {
  const known = new Map(stored.map((gap) => [gap.questionId, gap]))
  const fresh = clusters.filter(({ leader }) => !known.has(leader.id)).slice(0, Math.max(0, gapsMax - stored.length))
  if (fresh.length === 0) return known
  const at = clock.now()
  await insertGaps(
    store.durable,
    fresh.map(({ leader }) => ({
      id: ids.prefixed('gap'),
      siteId,
      questionId: leader.id,
      state: 'open',
      jobId: null,
      retried: [],
      failure: null,
      commit: null,
      ruledAt: null,
      createdAt: at,
      updatedAt: at,
    })),
  )
  // Read again: another request may have stored the same ones first.
  const listed = await listGaps(store.durable, siteId, { limit: gapsMax, charsMax: charsMax.question })
  return new Map(listed.map((gap) => [gap.questionId, gap]))
}

function toFound(gap: Omit<FoundGap, 'asked'>, asked: readonly AskedQuestion[]): FoundGap {
  return { ...gap, asked: asked.toSorted((one, other) => other.answer.createdAt - one.answer.createdAt) }
}

/** Reopens a fixed gap when a newer question of its group reveals it again. */
async function reopen({ store, clock }: GapDeps, gap: FoundGap): Promise<void> {
  const newest = gap.asked[0]?.answer.createdAt ?? 0
  if (gap.state !== 'fixed' || newest <= gap.updatedAt) return
  gap.state = 'open'
  gap.updatedAt = clock.now()
  await updateGap(store.durable, gap.id, { state: 'open', updatedAt: gap.updatedAt })
}
