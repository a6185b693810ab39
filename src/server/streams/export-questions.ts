import {
  type AskedQuestion as AskedQuestionResource,
  askedQuestionSchema,
  type ExportFormat,
} from '../../contract/insights.ts'
import { writeCsvRow } from '../../insights/write-csv.ts'
import { listAskedQuestions, type QuestionFilter } from '../../store/answers/asked-questions.ts'
import type { Store } from '../../store/store.ts'
import { toAskedQuestionResource } from '../resources/asked-question-resource.ts'

/** Bounds memory: only one batch is loaded at a time. */
const questionsAtOnce = 200

const columns: readonly { name: string; read: (question: AskedQuestionResource) => string | number | null }[] = [
  { name: 'askedAt', read: ({ askedAt }) => askedAt },
  { name: 'siteId', read: ({ siteId }) => siteId },
  { name: 'threadId', read: ({ threadId }) => threadId },
  { name: 'id', read: ({ id }) => id },
  { name: 'question', read: ({ question }) => question },
  { name: 'answer', read: ({ answer }) => answer },
  { name: 'verdict', read: ({ verdict }) => verdict },
  { name: 'feedback', read: ({ feedback }) => feedback },
  { name: 'caller', read: ({ caller }) => caller },
  { name: 'version', read: ({ version }) => version },
  { name: 'language', read: ({ language }) => language },
  { name: 'currentPath', read: ({ currentPath }) => currentPath },
  { name: 'sources', read: ({ sources }) => sources.map(({ url }) => url).join(' ') },
  { name: 'triedPaths', read: ({ triedPaths }) => triedPaths.join(' ') },
  { name: 'model', read: ({ model }) => model },
  { name: 'costUsd', read: ({ costUsd }) => costUsd },
  { name: 'totalMs', read: ({ timings }) => timings?.['totalMs'] ?? null },
]

/** What stands before, between and after the questions. */
const frames: Readonly<Record<ExportFormat, readonly [head: string, separator: string, tail: string]>> = {
  csv: [writeCsvRow(columns.map(({ name }) => name)), '', ''],
  json: ['{"items":[', ',\n', '],"nextCursor":null}\n'],
  jsonl: ['', '\n', '\n'],
}

/** Exports the questions as a file, in chunks, newest first. */
export async function* exportQuestions(
  store: Store,
  filter: QuestionFilter,
  format: ExportFormat,
): AsyncGenerator<string> {
  const [head, separator, tail] = frames[format]
  yield head
  let isFirst = true
  let cursor: string | null = null
  do {
    const request = { limit: questionsAtOnce, cursor }
    const page: Awaited<ReturnType<typeof listAskedQuestions>> = await listAskedQuestions(
      store.durable,
      filter,
      request,
    )
    const questions = page.items.map((item) => askedQuestionSchema.parse(toAskedQuestionResource(item)))
    if (format === 'csv') {
      yield questions.map((question) => writeCsvRow(columns.map(({ read }) => read(question)))).join('')
    } else if (questions.length > 0) {
      yield (isFirst ? '' : separator) + questions.map((question) => JSON.stringify(question)).join(separator)
      isFirst = false
    }
    cursor = page.nextCursor
  } while (cursor !== null)
  yield isFirst && format === 'jsonl' ? '' : tail
}

/** Pulls the next chunk only when the reader wants one. */
export function toByteStream(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    cancel: async () => void (await chunks.return(undefined)),
  })
}
