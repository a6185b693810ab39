import { serveThread } from '../../base/serve-thread.ts'
import { AppError } from '../../contract/app-error.ts'
import { readQuestion } from '../../contract/assistant-request.ts'
import { parseJson } from './parse-json.ts'
import type { QuestionOrder, QuestionOutcome } from './question-thread.ts'

serveThread(({ version, bytes }: QuestionOrder): QuestionOutcome => {
  try {
    const body = parseJson(bytes)
    bytes.buffer.transfer(0)
    return { question: readQuestion(version, body) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, details } = error
    return { refusal: { code, message, details: details === undefined ? null : [...details] } }
  }
})
