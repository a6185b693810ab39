import { sql } from 'kysely'
import type { FeedbackSource, FeedbackStatus } from '../../contract/analytics.ts'
import type { GapState } from '../../contract/insights.ts'
import { listById, type Listing, type ListRequest } from '../listing.ts'
import type { Db } from '../schema.ts'

export interface RatedAnswerFilter {
  siteIds: readonly string[]
  /** UTC milliseconds; `to` is exclusive. */
  from: number
  to: number
  source?: FeedbackSource | undefined
  status?: readonly FeedbackStatus[] | undefined
}

/** Feedback with what is known of its answer, or its page. */
export interface RatedAnswer {
  id: string
  isHelpful: boolean
  reason: string | null
  note: string | null
  createdAt: number
  currentPath: string | null
  /** Null for feedback on a page, like the path above. */
  sources: { url: string; title: string }[] | null
  /** The page that the feedback is on; null for feedback on an answer. */
  path: string | null
  /** Null if the question revealed no gap. */
  gapState: GapState | null
}

const stateOf: Readonly<Record<FeedbackStatus, GapState | null>> = {
  pending: 'open',
  in_progress: 'drafted',
  resolved: 'fixed',
  dismissed: null,
}

/** Newest first; the cursor is the id of the feedback. */
export async function listRatedAnswers(
  db: Db,
  filter: RatedAnswerFilter,
  request: ListRequest,
): Promise<Listing<RatedAnswer>> {
  const { siteIds, from, to, source, status } = filter
  const isNever = source === 'code_snippet' || source === 'agent'
  if (siteIds.length === 0 || isNever) return { items: [], nextCursor: null }
  let rated = db
    .selectFrom('feedback')
    .leftJoin('messages', 'messages.id', 'feedback.messageId')
    .leftJoin('gaps', (join) => join.onRef('gaps.questionId', '=', 'messages.questionId'))
    .select(['feedback.id', 'feedback.isHelpful', 'feedback.reason', 'feedback.note', 'feedback.createdAt'])
    .select(['messages.currentPath', 'messages.sources', 'feedback.path', 'gaps.state as gapState'])
    .where('feedback.siteId', 'in', siteIds)
    .where('feedback.createdAt', '>=', from)
    .where('feedback.createdAt', '<', to)
  if (source !== undefined) rated = rated.where('feedback.note', source === 'contextual' ? 'is not' : 'is', null)
  if (status !== undefined) {
    const states = status.flatMap((each) => stateOf[each] ?? [])
    rated = rated.where((where) =>
      where.or([
        // PostgreSQL has no empty lists.
        ...(states.length > 0 ? [where('gaps.state', 'in', states)] : []),
        ...(status.includes('pending') ? [where('gaps.state', 'is', null)] : []),
        sql.lit(false),
      ]),
    )
  }
  return listById(db.selectFrom(rated.as('rated')).selectAll(), request, 'desc')
}
