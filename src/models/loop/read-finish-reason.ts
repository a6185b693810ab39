import type { LanguageModelV4FinishReason } from '@ai-sdk/provider'
import type { FinishReason } from '../../contract/answer-event.ts'

/** Reasons that providers give and their packages do not know. */
const reasons: readonly (readonly [FinishReason, RegExp])[] = [
  ['content-filter', /filter|safety|toxic|sensitive|guardrail|prohibited|blocked|refus|moderation/i],
  ['length', /length|limit|max_?tokens|context_window|truncat/i],
  ['stop', /^(?:stop|eos|end|complete|done|finish|success)(?:e?d|_\w+)?$/i],
]

/** Why a model stopped, as far as is known. */
export function readFinishReason({ unified, raw }: LanguageModelV4FinishReason): FinishReason {
  if (unified === 'interrupted') return 'other'
  if (unified !== 'other' || raw === undefined) return unified
  return reasons.find(([, pattern]) => pattern.test(raw))?.[0] ?? 'other'
}
