import { readStoredText } from '../../../src/contract/message-texts.ts'
import { sayMessages } from '../../words/say.ts'

/** A text that the service stored in English, such as a reason of a verdict, in the language of the window. */
export function sayStored(text: string): string {
  return sayMessages(readStoredText(text), text)
}
