import type { Words } from '../words.ts'
import { germanErrors } from './error-words.ts'
import { german } from './german.ts'

export const germanCatalogue: Words = { texts: german, errors: germanErrors }
