import type { AskedQuestion as AskedQuestionResource } from '../../contract/insights.ts'
import type { AskedQuestion } from '../../store/answers/asked-questions.ts'
import { toIsoTime } from '../replies/iso-time.ts'

export function toAskedQuestionResource({ question, answer, feedback }: AskedQuestion): AskedQuestionResource {
  const { id, siteId, threadId, text, verdict, verdictReasons, sources, model, costUsd, timings, asked } = answer
  return {
    id,
    siteId,
    threadId,
    question,
    verdict,
    verdictReasons,
    feedback,
    sources,
    model,
    costUsd,
    timings,
    answer: text,
    caller: asked?.caller ?? null,
    keyId: asked?.keyId ?? null,
    version: asked?.version ?? null,
    language: asked?.language ?? null,
    currentPath: asked?.currentPath ?? null,
    triedPaths: asked?.triedPaths ?? [],
    askedAt: toIsoTime(answer.createdAt),
  }
}
