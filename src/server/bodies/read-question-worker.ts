import { serveThread } from '../../base/serve-thread.ts'
import { AppError } from '../../contract/app-error.ts'
import { questionReaders } from '../../contract/question-formats.ts'
import { parseJson } from './parse-json.ts'
import type { QuestionOrder, QuestionOutcome } from './question-thread.ts'

serveThread(({ format, bytes }: QuestionOrder): QuestionOutcome => {
  try {
    const body = parseJson(bytes)
    bytes.buffer.transfer(0)
    return { question: questionReaders[format](body) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, details } = error
    return { refusal: { code, message, details: details === undefined ? null : [...details] } }
  }
})
