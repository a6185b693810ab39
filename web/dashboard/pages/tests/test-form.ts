import type { AskedQuestion } from '../../../../src/contract/insights.ts'
import type { SuiteTest } from '../../../../src/contract/suite.ts'
import { isRefusal } from '../../../../src/contract/verdicts.ts'

/** Values of the form. Lists have one entry per line; spellings of one fact are separated by `|`. */
export interface TestForm {
  question: string
  version: string
  pages: string
  facts: string
  without: string
  isRefusal: boolean
  answer: string
}

export const emptyTestForm: TestForm = {
  question: '',
  version: '',
  pages: '',
  facts: '',
  without: '',
  isRefusal: false,
  answer: '',
}

export function toTestForm({ question, version, pages, facts, without, isRefusal, answer }: SuiteTest): TestForm {
  return {
    question,
    version: version ?? '',
    pages: pages.join('\n'),
    facts: facts.map((spellings) => spellings.join(' | ')).join('\n'),
    without: without.join('\n'),
    isRefusal,
    answer: answer ?? '',
  }
}

/** Expects what the reader got: a refusal stays one, and an answer cites the same pages. */
export function toTestFormOf(
  { question, verdict, version, sources }: Pick<AskedQuestion, 'question' | 'verdict' | 'version' | 'sources'>,
  siteUrl: string,
): TestForm {
  const pages = sources.flatMap(({ url }) => readPath(url, siteUrl) ?? [])
  const isRefused = isRefusal(verdict)
  return {
    ...emptyTestForm,
    question,
    version: version ?? '',
    pages: isRefused ? '' : [...new Set(pages)].join('\n'),
  }
}

function readPath(url: string, siteUrl: string): string | null {
  const page = url.replace(/[?#].*$/, '')
  return page.startsWith(siteUrl) ? page.slice(siteUrl.length).replace(/\/$/, '') || '/' : null
}

export function readTestForm(form: TestForm): SuiteTest {
  const expectsRefusal = form.isRefusal
  return {
    question: form.question.trim(),
    version: form.version.trim() || null,
    pages: expectsRefusal ? [] : splitLines(form.pages),
    facts: expectsRefusal ? [] : splitLines(form.facts).map((line) => splitBy(line, '|')),
    without: splitLines(form.without),
    isRefusal: expectsRefusal,
    answer: expectsRefusal ? null : form.answer.trim() || null,
  }
}

const splitLines = (text: string) => splitBy(text, '\n')

function splitBy(text: string, mark: string): string[] {
  return text
    .split(mark)
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
