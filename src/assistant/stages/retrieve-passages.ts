import type { IdSource } from '../../base/ids.ts'
import type { JsonValue } from '../../contract/json.ts'
import { cutText } from '../../contract/cut-text.ts'
import { queryCharsMax } from '../../contract/search.ts'
import { type AnswerModels, isOffline } from '../answer-models.ts'
import { describeUnread, markUnread, offlineReasons } from '../prompt/attached-files.ts'
import { type AskedPage, findAskedPage } from '../prompt/find-asked-page.ts'
import { buildSearchText } from '../prompt/question-prompt.ts'
import { rewriteFollowUp } from '../prompt/rewrite-question.ts'
import type { AnswerToolDeps } from '../tools/answer-tool.ts'
import { type MadeSearch, searchPages, type SearchTool, showWholePage, toSearchQuery } from '../tools/search-tool.ts'
import type { GatedAnswer } from './gate-answer.ts'
import type { PreparedAnswer } from './prepare-answer.ts'

interface RetrieveInput {
  answer: PreparedAnswer
  gated: GatedAnswer
  models: Promise<AnswerModels>
  toolDeps: AnswerToolDeps
  searchTool: SearchTool
}

/**
 * Searches before the model is called, while the models are still being looked up; the reader sees it as a first step.
 */
export async function retrievePassages(
  { ids }: { ids: IdSource },
  { answer, gated, models, toolDeps, searchTool }: RetrieveInput,
  signal: AbortSignal,
): Promise<MadeSearch> {
  const { site, reader, modelQuestion: question } = answer
  const callId = ids.prefixed('call')
  await gated.pass({ type: 'step-started' })
  const asked = await findAskedPage(toolDeps, signal)
  await gated.open(answer.notice + asked.notice + (await describeFiles(answer, models)))
  const text = asked.page === null ? await chooseSearchText(answer, models, signal) : asked.subject || question.question
  const query = cutText(text, queryCharsMax)
  await gated.pass({ type: 'tool-called', callId, toolName: searchTool.name, input: { query } })
  const output = await (searchAskedPage(toolDeps, query, asked, signal) ?? searchTool.run({ query }, signal))
  // Known from the search, unless that was of a page.
  const termCounts = (await models).mayAnswerOffline
    ? await site.index.countTerms(toSearchQuery(query, question, reader), signal)
    : null
  await gated.pass({ type: 'tool-returned', callId, output })
  await gated.pass({ type: 'step-finished', finishReason: 'tool-calls', usage: { inputTokens: 0, outputTokens: 0 } })
  return { callId, query, output, termCounts }
}

async function describeFiles({ question }: PreparedAnswer, models: Promise<AnswerModels>): Promise<string> {
  const { attachments } = question
  if (attachments.length === 0) return ''
  return describeUnread(isOffline((await models).answering) ? markUnread(attachments, offlineReasons) : attachments)
}

/** A question about the reader's page is answered from that page: whole, or with its passages on what is asked. */
function searchAskedPage(
  deps: AnswerToolDeps,
  query: string,
  { page, subject }: AskedPage,
  signal: AbortSignal,
): Promise<JsonValue> | null {
  if (page === null) return null
  return subject === '' ? showWholePage(deps, page, signal) : searchPages(deps, query, signal, page.path)
}

/** A first question is self-contained, so the search need not wait for the models. */
async function chooseSearchText(
  { modelQuestion: question, account }: PreparedAnswer,
  models: Promise<AnswerModels>,
  signal: AbortSignal,
): Promise<string> {
  if (question.turn === 1) return buildSearchText(question)
  const rewritten = await rewriteFollowUp(await models, account, question, signal)
  return buildSearchText(rewritten === null ? question : { ...question, question: rewritten })
}
