import { z } from 'zod'
import { AppError } from '../../contract/app-error.ts'
import { readQuestion } from '../../contract/assistant-request.ts'
import { pathCharsMax } from '../../contract/search.ts'
import { toStorableText } from '../../contract/storable-json.ts'
import { answerVerdicts } from '../../contract/verdicts.ts'
import { collectAnswer } from '../streams/collect-answer.ts'
import { createTool } from './mcp-tool.ts'
import { describeMissing, findCalledPage, language, version } from './reading-tools.ts'

const questionCharsMax = 8_000
const noteCharsMax = 2_000

export const askTool = createTool({
  name: 'ask',
  title: 'Ask the documentation',
  description:
    'Answers a question from the pages of this site and names its sources. Slower than search and limited more tightly: use search to find a page, and ask for what several pages say together.',
  isIdempotent: false,
  input: z.object({
    question: z.string().trim().min(1).max(questionCharsMax).describe('The question, as you would ask a colleague.'),
    version,
    language,
  }),
  output: z.object({
    answer: z.string().describe('Markdown, with a list of its sources at the end.'),
    verdict: z
      .enum(answerVerdicts)
      .nullable()
      .describe('How well the pages support the answer; unanswered if they do not hold it.'),
    sources: z.array(z.string()).describe('Addresses of the sections that the answer rests on.'),
    messageId: z.string().describe('For submit_feedback.'),
  }),
  async run(call, { question: text, version, language }) {
    const filter = { ...(version !== undefined && { version }), ...(language !== undefined && { language }) }
    const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
    const question = readQuestion('v2', { fp: 'agent', threadId: null, messages, filter })
    call.recordVisit('ask', '', false)
    const answered = await call.ask({ ...question, links: 'absolute' }, (answer) => collectAnswer(answer, call.signal))
    if ('failure' in answered) return { fault: answered.failure.message }
    return { texts: [`${answered.answer}\n\n(Verdict: ${answered.verdict ?? 'unknown'})`], structured: answered }
  },
})

export const submitFeedbackTool = createTool({
  name: 'submit_feedback',
  title: 'Report a problem with the documentation',
  description:
    'Tells the owner of the documentation that a page or an answer helped, is wrong, or lacks something. Send it when you had to work around a page, and leave out secrets and personal data.',
  isReadOnly: false,
  input: z.object({
    path: z.string().min(1).max(pathCharsMax).optional().describe('The page, as read_page takes it.'),
    messageId: z.string().min(1).max(128).optional().describe('The answer, as ask returned it.'),
    helpful: z.boolean().default(false),
    note: z
      .string()
      .trim()
      .max(noteCharsMax)
      .transform(toStorableText)
      .optional()
      .describe('What is wrong or missing, and what you were trying to do.'),
  }),
  output: z.object({ isReceived: z.boolean() }),
  async run(call, { path, messageId, helpful: isHelpful, note }) {
    const said = { isHelpful, reason: null, note: note || null }
    if (messageId !== undefined) {
      const fault = await call.giveFeedback({ ...said, messageId, threadId: null, path: null }).catch(readWrongId)
      if (fault !== undefined) return { fault }
    } else {
      if (path === undefined) return { fault: 'Name the page in path, or the answer in messageId.' }
      const page = await findCalledPage(call, path)
      if (page === null) return { fault: await describeMissing(call, path) }
      await call.giveFeedback({ ...said, messageId: null, threadId: null, path: page.path })
    }
    call.recordVisit('feedback', isHelpful ? '' : (note ?? ''), !isHelpful)
    return { texts: ['Thank you. The owner of the documentation will see it.'], structured: { isReceived: true } }
  },
})

/** The model can correct the id. As an HTTP status, 404 would tell clients that their session has ended. */
function readWrongId(error: unknown): string {
  if (error instanceof AppError && error.code === 'message_not_found') return error.message
  throw error
}
