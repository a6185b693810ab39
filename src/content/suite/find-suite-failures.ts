import type { SuiteFailure, SuiteTest } from '../../contract/suite.ts'

/** An answer as tests see it. */
export interface TestedAnswer {
  text: string
  /** False for refusals, whatever their text. */
  isAnswered: boolean
  /** The pages that it cites. */
  sources: readonly { path: string; version: string | null }[]
}

/** Compares an answer with what a test expects. Pure. @returns What is wrong; empty if the test passes. */
export function findSuiteFailures(test: SuiteTest, answer: TestedAnswer): SuiteFailure[] {
  const without = test.without.filter((wording) => containsWording(answer.text, wording)).map(describeWording)
  if (test.isRefusal) {
    const message = 'It was answered, although the documentation is said not to answer it.'
    return answer.isAnswered ? [{ expectation: 'refused', message }, ...without] : without
  }
  if (!answer.isAnswered) return [{ expectation: 'answered', message: 'The pages did not answer it.' }, ...without]
  return [
    ...findPageFailures(test, answer),
    ...findVersionFailures(test, answer),
    ...findFactFailures(test, answer),
    ...without,
  ]
}

function findPageFailures({ pages }: SuiteTest, { sources }: TestedAnswer): SuiteFailure[] {
  const cited = sources.map(({ path }) => path)
  if (pages.length === 0 || namesPage(pages, cited)) return []
  const list = cited.length === 0 ? 'no page' : [...new Set(cited)].join(', ')
  return [{ expectation: 'page', message: `It cited ${list}; expected ${pages.join(' or ')}.` }]
}

function findVersionFailures({ version }: SuiteTest, { sources }: TestedAnswer): SuiteFailure[] {
  const other = sources.find((source) => version !== null && source.version !== null && source.version !== version)
  if (other === undefined) return []
  const message = `It cited ${other.path} of version ${other.version}; expected ${version}.`
  return [{ expectation: 'version', message }]
}

function findFactFailures({ facts }: SuiteTest, { text }: TestedAnswer): SuiteFailure[] {
  return facts
    .filter((spellings) => !containsFact(text, spellings))
    .map((spellings) => ({
      expectation: 'fact',
      message: `It lacks ${spellings.map((fact) => `“${fact}”`).join(' or ')}.`,
    }))
}

function describeWording(wording: string): SuiteFailure {
  return { expectation: 'without', message: `It contains “${wording}”.` }
}

/** Whether one of the cited paths is one of the pages, which may be written with or without a slash or anchor at the end. */
export function namesPage(pages: readonly string[], cited: readonly string[]): boolean {
  const named = new Set(cited.map(foldPath))
  return pages.some((page) => named.has(foldPath(page)))
}

/** Whether a text contains one of the spellings of a fact. */
export function containsFact(text: string, spellings: readonly string[]): boolean {
  return spellings.some((spelling) => containsWording(text, spelling))
}

/** Ignores case, white space and emphasis. A number is found only as a whole: 3 is neither in 30 nor in 1.3. */
function containsWording(text: string, wording: string): boolean {
  const [folded, wanted] = [foldText(text), foldText(wording).trim()]
  if (wanted === '') return false
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    if (isWhole(folded, at, at + wanted.length)) return true
  }
  return false
}

function isWhole(text: string, start: number, end: number): boolean {
  const startsInNumber =
    /\d/.test(text[start] ?? '') && /(?:\d|\d[.,])$/.test(text.slice(Math.max(0, start - 2), start))
  const endsInNumber = /\d/.test(text[end - 1] ?? '') && /^(?:\d|[.,]\d)/.test(text.slice(end, end + 2))
  return !startsInNumber && !endsInNumber
}

function foldPath(path: string): string {
  return path.replace(/#.*$/, '').replace(/\/(?:index)?$/, '')
}

function foldText(text: string): string {
  return text.toLowerCase().replace(/[*`]/g, '').replace(/\s+/g, ' ')
}
