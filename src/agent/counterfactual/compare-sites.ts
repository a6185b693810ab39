import { analyzeQuery, analyzeText } from '../../base/text-analysis/analyze-text.ts'
import { findSuiteFailures } from '../../content/suite/find-suite-failures.ts'
import {
  type AnswerCounts,
  type AnswerOutcome,
  answerOutcomes,
  type AnswerSide,
  type ComparedAnswer,
  type SiteComparison,
} from '../../contract/counterfactual.ts'
import { cutText } from '../../contract/cut-text.ts'
import type { SuiteTest } from '../../contract/suite.ts'
import { isAnswer } from '../../contract/verdicts.ts'
import { QuotingAnswerer } from '../../models/offline/answer-by-quoting.ts'
import type { Passage } from '../../search/search-query.ts'
import { compareAnswers } from './compare-answers.ts'
import { type ChangedFact, compareFacts, type StatedChange } from './compare-facts.ts'
import { compareStructure } from './compare-structure.ts'
import type { Fact } from './list-facts.ts'
import { matchPages, type PageMoves } from './match-pages.ts'
import { OfflineAsker } from '../asking/offline-asker.ts'
import type { SiteVersion } from './site-version.ts'

/** A question to ask before and after a change. */
export interface ComparedQuestion {
  question: string
  origin: ComparedAnswer['origin']
  /** What its answer must be like; null without expectations. */
  test: SuiteTest | null
}

/** A site before and after a change. */
export interface SiteChange {
  before: SiteVersion
  after: SiteVersion
  questions: readonly ComparedQuestion[]
  signal: AbortSignal
}

/** Lists longer than this are cut; the counts stay true. */
const listedMax = 500
const factCharsMax = 1_000

/** What a change does, and what is needed to ask other models than the offline one about it. Can be sent between threads. */
export interface ReachedSite {
  comparison: SiteComparison
  /** The questions that it reaches. */
  reached: ComparedQuestion[]
  changed: StatedChange[]
  moves: PageMoves
}

/**
 * Compares what readers get from two versions of a site: the answers to questions, the facts that the pages state, and
 * what can be reached. The same input has the same result. CPU-bound.
 */
export async function compareSites({ before, after, questions, signal }: SiteChange): Promise<ReachedSite> {
  const moves = matchPages(before.site.pages, after.site.pages)
  const facts = compareFacts(before.openPages, after.openPages, moves)
  const answers = compareQuestions({ before, after, questions, signal }, facts, moves)
  const structure = await compareStructure(before, after, moves)
  const comparison: SiteComparison = {
    counts: countOutcomes(answers),
    answers: sortAnswers(answers),
    facts: facts.map(describeFact).slice(0, listedMax),
    factCounts: countFacts(facts),
    brokenLinks: structure.brokenLinks.slice(0, listedMax),
    lostAnchors: structure.lostAnchors.slice(0, listedMax),
    lostPages: structure.lostPages.slice(0, listedMax),
    unreachablePages: structure.unreachablePages.slice(0, listedMax),
    byModel: null,
  }
  const reached = questions.filter((_, place) => answers[place]?.before !== notAsked)
  return { comparison, reached, changed: facts.map(withoutPages), moves }
}

/** Those that are not the same, worst first. */
export function sortAnswers(answers: readonly ComparedAnswer[]): ComparedAnswer[] {
  const rank = ({ outcome }: ComparedAnswer) => answerOutcomes.indexOf(outcome)
  const changed = answers.filter(({ outcome }) => outcome !== 'same')
  return changed.sort((one, other) => rank(one) - rank(other)).slice(0, listedMax)
}

export function countOutcomes(answers: readonly ComparedAnswer[]): AnswerCounts {
  const count = (origin: ComparedAnswer['origin'], wanted: AnswerOutcome) =>
    answers.filter((each) => each.origin === origin && each.outcome === wanted).length
  const countOf = (origin: ComparedAnswer['origin']) => ({
    worse: count(origin, 'worse'),
    better: count(origin, 'better'),
    changed: count(origin, 'changed'),
    same: count(origin, 'same'),
  })
  return { suite: countOf('suite'), reader: countOf('reader') }
}

function withoutPages({ kind, before, after }: ChangedFact): StatedChange {
  const keep = ({ key, text, page: { path } }: Fact) => ({ key, text, page: { path } })
  return { kind, before: keep(before), after: after === null ? null : keep(after) }
}

function countFacts(facts: readonly ChangedFact[]): SiteComparison['factCounts'] {
  const count = (wanted: ChangedFact['kind']) => facts.filter(({ kind }) => kind === wanted).length
  return {
    removed: count('removed'),
    contradicted: count('contradicted'),
    moved: count('moved'),
    altered: count('altered'),
  }
}

function describeFact({ kind, before, after }: ChangedFact): SiteComparison['facts'][number] {
  const place = ({ page: { path, title } }: Fact) => ({ path, title })
  const cut = ({ text }: Fact) => cutText(text, factCharsMax)
  return {
    kind,
    from: place(before),
    text: cut(before),
    to: after === null ? null : { ...place(after), text: cut(after) },
  }
}

function compareQuestions(
  { before, after, questions, signal }: SiteChange,
  facts: readonly ChangedFact[],
  moves: PageMoves,
): ComparedAnswer[] {
  const answerer = new QuotingAnswerer()
  const [asker, askerAfter] = [before, after].map(
    ({ index, site }) => new OfflineAsker(index, site.name, answerer),
  ) as [OfflineAsker, OfflineAsker] // One each.
  const reach = findReach(before, after)
  return questions.map((asked) => {
    signal.throwIfAborted()
    const versioned = { question: asked.question, version: asked.test?.version ?? null }
    const passages = asker.search(versioned)
    if (!reach.holds(asked.question, passages)) return keepAnswer(asked)
    const found = askerAfter.search(versioned)
    if (isSame(passages, found)) return keepAnswer(asked)
    const sides = { before: asker.answer(versioned, passages), after: askerAfter.answer(versioned, found) }
    const failures =
      asked.test === null
        ? null
        : { before: findSideFailures(asked.test, sides.before), after: findSideFailures(asked.test, sides.after) }
    const judged = compareAnswers({ ...sides, changed: facts, moves, failures })
    return { ...describe(asked), ...judged, ...sides, failures: [...(failures?.after ?? [])] }
  })
}

function describe({ question, origin }: ComparedQuestion) {
  return { question, origin }
}

const notAsked: AnswerSide = { verdict: 'unanswered', text: '', citations: [] }

/** The change does not reach the question, so it need not be asked. */
function keepAnswer(asked: ComparedQuestion): ComparedAnswer {
  const reason = 'The change reaches nothing that answers it.'
  return { ...describe(asked), outcome: 'same', reason, before: notAsked, after: notAsked, failures: [] }
}

/** What an answer lacks of what a test expects, in sentences. */
export function findSideFailures(test: SuiteTest, { text, verdict, citations }: AnswerSide): string[] {
  return findSuiteFailures(test, { text, isAnswered: isAnswer(verdict), sources: citations }).map(
    ({ message }) => message,
  )
}

function isSame(one: readonly Passage[], other: readonly Passage[]): boolean {
  return one.length === other.length && one.every((passage, place) => passageKey(passage) === passageKey(other[place]))
}

const passageKey = (passage: Passage | undefined) =>
  JSON.stringify([passage?.path, passage?.anchor, passage?.title, passage?.headings, passage?.content])

/**
 * What a change can reach: questions whose passages are on pages that it changes, and those that ask for a word of the
 * changed pages that is rare enough to decide what is found.
 */
function findReach(before: SiteVersion, after: SiteVersion) {
  const [old, now] = [before.openPages, after.openPages].map(
    (pages) => new Map(pages.map((page) => [page.path, describePage(page)])),
  ) as [Map<string, string>, Map<string, string>] // One each.
  const paths = new Set([...old.keys(), ...now.keys()].filter((path) => old.get(path) !== now.get(path)))
  const terms = new Set<string>()
  for (const page of after.openPages) {
    if (!paths.has(page.path)) continue
    for (const { term } of analyzeText(`${page.title} ${page.description} ${page.markdown}`, page.language))
      terms.add(term)
  }
  const asksFor = (question: string) =>
    analyzeQuery(question, null).some(({ wholes, parts }) => [...wholes, ...parts].some((term) => terms.has(term)))
  return {
    holds: (question: string, passages: readonly Passage[]) =>
      passages.some(({ path }) => paths.has(path)) || (terms.size > 0 && asksFor(question)),
  }
}

function describePage({ title, description, markdown, section, keywords }: SiteVersion['openPages'][number]): string {
  return JSON.stringify([title, description, markdown, section, keywords])
}
