import { readVerdictReason } from '../../../src/contract/message-texts.ts'
import { sayMessages } from '../../words/say.ts'

/** A stored reason of a verdict in the language of the window. */
export function sayReason(reason: string): string {
  return sayMessages([readVerdictReason(reason)], reason)
}
