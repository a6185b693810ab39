import { guessLanguage, guessOtherLanguage } from '../../base/text-analysis/guess-language.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { listQueryTerms, type QueryTerms } from '../query-terms.ts'
import type { SearchScope } from './search-scope.ts'

const sampledChunks = 8
const sampledCharsMax = 400
const guessesByScope = new WeakMap<SearchScope, string | null>()

/** The terms of a question; for English pages, the English ones of a question in another language. */
export function listAskedTerms(
  index: IndexFile,
  scope: SearchScope,
  text: string,
  language: string | null,
): QueryTerms {
  const needsGuess = language === null && guessOtherLanguage(text) !== null
  return listQueryTerms(text, language, needsGuess ? guessWritten(index, scope) : language)
}

/** Many sites do not state their language. */
function guessWritten(index: IndexFile, scope: SearchScope): string | null {
  const known = guessesByScope.get(scope)
  if (known !== undefined) return known
  const { mask, count } = scope.visible
  const visible = Array.from(mask.keys()).filter((chunk) => mask[chunk] === 1)
  const step = Math.max(1, Math.floor(count / sampledChunks))
  const sampled = visible.filter((_, place) => place % step === 0).slice(0, sampledChunks)
  const sample = sampled.map((chunk) => index.getChunk(chunk).text.slice(0, sampledCharsMax))
  const written = guessLanguage(sample.join('\n'))
  guessesByScope.set(scope, written)
  return written
}
