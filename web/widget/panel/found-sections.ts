import { listSources } from '../../../packages/docent-client/src/answer-sources.ts'
import { readWebAddress } from '../../citations/describe-citation.ts'
import { type FoundSection, isRefused, type Turn } from './turn.ts'

const shownMax = 3
/** Share of the best score; sections below it have little to do with the question. */
const scoreShareMin = 0.6
const questionCharsMax = 120

/** Sections that were found for a question without an answer: the best of each page. */
export function listNearest({ found }: Turn): FoundSection[] {
  const pages = new Set<string>()
  const isFirst = ({ url }: FoundSection) => {
    const page = url.replace(/#.*$/, '')
    return !pages.has(page) && pages.add(page)
  }
  return listGood(found).filter(isFirst).slice(0, shownMax).map(withoutHeadings)
}

/** The headings are shown, and the rule below the head of a table says nothing. */
function withoutHeadings(section: FoundSection): FoundSection {
  return { ...section, text: section.text.replace(/^(?:#{1,6} .*|[ |:-]+)$/gm, '').trim() }
}

/** The headings of sections that were found for a question but not cited, which ask or name what else there is. */
export function listFollowUps(turn: Turn): string[] {
  if (isRefused(turn)) return []
  const cited = new Set(listSources(turn).map(({ url }) => url.replace(/:~:.*$/, '')))
  const questions = listGood(turn.found).flatMap(({ title, headings, url }) => {
    const last = headings.at(-1)
    return last === undefined || cited.has(url) ? [] : [/[?？]$/u.test(last) ? last : `${title}: ${last}`]
  })
  const isNew = (question: string) => question !== turn.question && question.length <= questionCharsMax
  return [...new Set(questions)].filter(isNew).slice(0, shownMax)
}

function listGood(found: readonly FoundSection[]): FoundSection[] {
  const best = Math.max(0, ...found.map(({ score }) => score))
  return found.filter(({ url, score }) => readWebAddress(url) !== null && score >= best * scoreShareMin)
}
