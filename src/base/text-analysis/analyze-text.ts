import { foldWord, getLanguageAnalysis, isEnglish, type LanguageAnalysis } from './language-analysis.ts'
import { joinPhrasal, joinStems } from './joined-words.ts'
import { splitWord } from './split-word.ts'

/** Bump when the same text may yield different terms, so that existing indexes are rebuilt. */
export const analyzerId = 'identifier-porter2-4'

/** A term and the position of its word, from 0. A compound shares the position of its first part, so positions may repeat. */
export interface Token {
  term: string
  position: number
}

/** A query word with all the terms that match it. */
export interface QueryWord {
  /** As typed. */
  surface: string
  /** Names of the whole identifier; empty for a plain word. */
  wholes: string[]
  /** Stems of its plain words, or n-grams for scripts without spaces. */
  parts: string[]
}

interface WordTerms {
  wholes: string[]
  parts: string[]
  isStopWord: boolean
  /** All of its terms, which distinguish words. */
  key: string
}

/** Words including identifier punctuation: `a.b`, `a/b`, `a::b`, `a-b`, `c++`, `--flag`, `$op`, `@decorator`. */
const wordPattern =
  /(?:--?(?=\p{L}))?[$@]?[\p{L}\p{N}\p{M}_]+(?:(?:::|[-./:#'’])[\p{L}\p{N}\p{M}_]+)*(?:\+\+|#(?![\p{L}\p{N}]))?/gu
/** The same words of texts that are ASCII, found in half the time. */
const asciiWordPattern = /(?:--?(?=[A-Za-z]))?[$@]?\w+(?:(?:::|[-./:#'])\w+)*(?:\+\+|#(?![A-Za-z0-9]))?/g
const unspacedPattern =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu
const scheme = /^https?$/i
// eslint-disable-next-line no-control-regex -- all of ASCII.
const isAscii = /^[\x00-\x7f]*$/
const mayBeUnspaced =
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\ud7ff\uf900-\ufaff\uff66-\uff9f]|[\ud840-\ud8bf]/

/** Words repeat, so their terms are cached; the bound limits memory in long-lived processes. */
const cachedWordsMax = 150_000
const wordCaches = new Map<LanguageAnalysis, Map<string, WordTerms>>()

/**
 * Returns the terms of a text, for indexing or for comparing sentences. Stop words are kept: they can be all that a query
 * contains. Pure.
 *
 * @param language BCP 47 tag, null if unknown; selects the stemmer.
 */
export function analyzeText(text: string, language: string | null): Token[] {
  const getWordTerms = openWordTerms(language)
  const tokens: Token[] = []
  const mayJoin = isEnglish(language ?? 'en')
  let position = 0
  let previous: string | undefined
  visitWords(text, (word, isUnspaced) => {
    if (isUnspaced) {
      position = pushNgrams(tokens, word, position)
      previous = undefined
      return
    }
    const { wholes, parts } = getWordTerms(word)
    const [part] = parts
    const joined = mayJoin && previous !== undefined && part !== undefined ? joinStems(previous, part) : undefined
    if (joined !== undefined) tokens.push({ term: joined, position })
    previous = part
    for (const term of wholes) tokens.push({ term, position })
    for (const term of parts) tokens.push({ term, position: position++ })
    if (parts.length === 0) position++
  })
  return tokens
}

/**
 * Returns the words of a query without stop words, unless nothing else is left (`and`, `not in`). No word twice, in
 * query order.
 */
export function analyzeQuery(text: string, language: string | null, wordsMax = 64): QueryWord[] {
  const all = analyzeQueryWords(text, language, wordsMax)
  const telling = all.filter((word) => !word.isStopWord)
  const kept = telling.length > 0 ? telling : all
  return kept.slice(0, wordsMax).map(({ surface, wholes, parts }) => ({ surface, wholes, parts }))
}

/** The words of a query up to `wordsMax` that are not stop words, with the stop words between them. No word twice. */
export function analyzeQueryWords(
  text: string,
  language: string | null,
  wordsMax = 64,
): (QueryWord & { isStopWord: boolean })[] {
  const getWordTerms = openWordTerms(language)
  const words = new Map<string, QueryWord & { isStopWord: boolean }>()
  const mayJoin = isEnglish(language ?? 'en')
  let tellingWords = 0
  let previous: { key: string; surface: string } = { key: '', surface: '' }
  visitWords(text, (word, isUnspaced) => {
    const { key, wholes, parts, isStopWord } = isUnspaced
      ? toTerms([], listQueryNgrams(word), false)
      : getWordTerms(word)
    const joined = mayJoin ? joinPhrasal(previous.key, key) : undefined
    const surface = `${previous.surface} ${word}`
    if (joined !== undefined && words.delete(previous.key)) {
      words.set(joined, { surface, wholes: [], parts: [joined], isStopWord: false })
      return
    }
    previous = { key, surface: word }
    if (key === '' || words.has(key)) return
    words.set(key, { surface: word, wholes, parts, isStopWord })
    if (!isStopWord) tellingWords += 1
    return tellingWords < wordsMax ? undefined : 'stop'
  })
  return [...words.values()]
}

/** Callers may stop early, because text from strangers can have any length. */
type VisitWord = (word: string, isUnspaced: boolean) => 'stop' | void

function visitWords(text: string, visit: VisitWord): void {
  // Most text is, and normalization leaves it unchanged.
  const isPlain = isAscii.test(text)
  const normalized = isPlain ? text : text.normalize('NFKC')
  const pattern = isPlain ? asciiWordPattern : wordPattern
  pattern.lastIndex = 0
  for (let match = pattern.exec(normalized); match !== null; match = pattern.exec(normalized)) {
    const [word] = match
    // The scheme of an address says nothing of what HTTPS is.
    if (normalized.startsWith('://', pattern.lastIndex) && scheme.test(word)) continue
    const next = !isPlain && mayBeUnspaced.test(word) ? visitScripts(word, visit) : visit(word, false)
    if (next === 'stop') return
  }
}

/** Splits where scripts meet: `Redis集群` is an English word and a Chinese one. */
function visitScripts(word: string, visit: VisitWord): 'stop' | void {
  let end = 0
  for (const match of word.matchAll(unspacedPattern)) {
    if (match.index > end && visit(word.slice(end, match.index), false) === 'stop') return 'stop'
    if (visit(match[0], true) === 'stop') return 'stop'
    end = match.index + match[0].length
  }
  return end < word.length ? visit(word.slice(end), false) : undefined
}

/** Single characters and pairs: pairs for precision, single characters because some are words. */
function pushNgrams(tokens: Token[], run: string, start: number): number {
  const characters = Array.from(run)
  characters.forEach((character, index) => {
    tokens.push({ term: character, position: start + index })
    const next = characters[index + 1]
    if (next !== undefined) tokens.push({ term: character + next, position: start + index })
  })
  return start + characters.length
}

function listQueryNgrams(run: string): string[] {
  const characters = Array.from(run)
  if (characters.length < 2) return characters
  return [...new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`))]
}

function openWordTerms(language: string | null): (word: string) => WordTerms {
  const analysis = getLanguageAnalysis(language)
  const cache = wordCaches.get(analysis) ?? new Map<string, WordTerms>()
  wordCaches.set(analysis, cache)
  return (word) => {
    const known = cache.get(word)
    if (known) return known
    const terms = makeWordTerms(word, analysis)
    if (cache.size >= cachedWordsMax) cache.clear()
    cache.set(word, terms)
    return terms
  }
}

function makeWordTerms(word: string, analysis: LanguageAnalysis): WordTerms {
  const bare = analysis.hasElision ? word.replace(/^\p{L}{1,2}['’]/u, '') : word.replace(/['’]s$/i, '')
  const { wholes, parts } = splitWord(bare.replace(/['’]/g, ''))
  const stems = parts.map((part) => foldWord(analysis.stem(part.toLowerCase()))).filter(Boolean)
  const names = wholes.map((whole) => foldWord(/^\p{L}+$/u.test(whole) ? analysis.stem(whole) : whole))
  const isStopWord = names.length === 0 && parts.every((part) => analysis.stopWords.has(foldWord(part)))
  return toTerms([...new Set(names)], stems, isStopWord)
}

function toTerms(wholes: string[], parts: string[], isStopWord: boolean): WordTerms {
  return { wholes, parts, isStopWord, key: [...wholes, ...parts].join(' ') }
}
