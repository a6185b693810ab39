import type { FeedbackStatus } from '../contract/analytics.ts'
import type { RatedAnswer } from '../store/answers/rated-answers.ts'

const statuses: Readonly<Record<NonNullable<RatedAnswer['gapState']>, FeedbackStatus>> = {
  open: 'pending',
  drafted: 'in_progress',
  fixed: 'resolved',
}

/** Feedback as Mintlify's API has it. Feedback on an answer has no counterpart there; a comment makes it contextual. */
export function toAnalyticsFeedback(rated: RatedAnswer) {
  const { id, isHelpful, reason, note, createdAt, gapState } = rated
  return {
    id,
    path: pathOf(rated),
    comment: note ?? reason,
    createdAt,
    source: note === null ? ('thumbs_only' as const) : ('contextual' as const),
    status: gapState === null ? ('pending' as const) : statuses[gapState],
    helpful: isHelpful,
    contact: null,
  }
}

/** Most feedback first. */
export function countFeedbackByPage(rated: readonly RatedAnswer[]) {
  const pages = Map.groupBy(rated, pathOf)
  return Array.from(pages, ([path, all]) => {
    const thumbsUp = all.filter(({ isHelpful }) => isHelpful).length
    return { path, thumbsUp, thumbsDown: all.length - thumbsUp, code: 0, total: all.length }
  }).toSorted((one, other) => other.total - one.total || (one.path < other.path ? -1 : 1))
}

/** The page that was rated, or that the reader was on, or else the first one that was cited; empty if there is none. */
function pathOf({ path, currentPath, sources }: RatedAnswer): string {
  const place = path ?? currentPath ?? sources?.[0]?.url ?? ''
  return URL.parse(place)?.pathname ?? place
}
