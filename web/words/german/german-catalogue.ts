import type { Words } from '../words.ts'
import { germanErrors } from './error-words.ts'
import { germanFindings } from './finding-words.ts'
import { german } from './german.ts'
import { germanMessages } from './message-words.ts'

export const germanCatalogue: Words = {
  texts: german,
  errors: germanErrors,
  messages: germanMessages,
  findings: germanFindings,
}
