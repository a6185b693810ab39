import { trialCounters } from '../../assistant/try-answer.ts'
import type { ExportFormat } from '../../contract/insights.ts'
import type { questionOperations } from '../../contract/operations/insights.ts'
import { groupTopics } from '../../insights/group-topics.ts'
import { summarizeAgents } from '../../insights/summarize-agents.ts'
import { summarizeQuestions } from '../../insights/summarize-questions.ts'
import { listAskedQuestions } from '../../store/answers/asked-questions.ts'
import { toAskedQuestionResource } from '../resources/asked-question-resource.ts'
import { readQuestionFilter, requireFewBuckets } from '../resources/question-period.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { exportQuestions, toByteStream } from '../streams/export-questions.ts'

const exportTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
}

export function createInsightHandlers(
  deps: Pick<ServerDeps, 'store' | 'clock' | 'clusters' | 'agentsSeen'>,
): Handlers<typeof questionOperations> {
  const { store } = deps

  return {
    getInsightsSummary: async ({ c, query: { bucket, ...query } }) => {
      const filter = await readQuestionFilter(c, deps, query)
      requireFewBuckets(bucket, filter)
      return summarizeQuestions(store, { filter, bucket, trialCounters })
    },

    getAgentInsights: async ({ c, query }) => {
      const filter = await readQuestionFilter(c, deps, query)
      await deps.agentsSeen.flush()
      return summarizeAgents(store, filter)
    },

    listQuestions: async ({ c, query: { limit, cursor, ...query } }) => {
      const filter = await readQuestionFilter(c, deps, query)
      const { items, nextCursor } = await listAskedQuestions(store.durable, filter, { limit, cursor })
      return { items: items.map(toAskedQuestionResource), nextCursor }
    },

    listTopics: async ({ c, query: { limit, ...query } }) => {
      const { topics, questions } = await groupTopics(deps, await readQuestionFilter(c, deps, query), limit)
      return { items: topics, nextCursor: null, questions }
    },

    exportQuestions: async ({ c, query: { format, ...query } }) => {
      const filter = await readQuestionFilter(c, deps, query)
      return c.body(toByteStream(exportQuestions(store, filter, format)), 200, {
        'content-type': exportTypes[format],
        'content-disposition': `attachment; filename="questions.${format}"`,
        'cache-control': 'no-store',
      })
    },
  }
}
