import type { AskedQuestion } from '../../store/answers/asked-questions.ts'

export function toAskedQuestionResource({ question, answer, feedback }: AskedQuestion) {
  const {
    caller = null,
    keyId = null,
    version = null,
    language = null,
    currentPath = null,
    triedPaths = [],
  } = answer.asked ?? {}
  return {
    ...answer,
    question,
    feedback,
    answer: answer.text,
    caller,
    keyId,
    version,
    language,
    currentPath,
    triedPaths,
    askedAt: answer.createdAt,
  }
}
