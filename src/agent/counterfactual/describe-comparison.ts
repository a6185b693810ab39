import {
  type AnswerOutcome,
  answerOutcomes,
  type ComparedAnswer,
  countAnswers,
  describeUnasked,
  type FactChange,
  type ModelComparison,
  type SiteComparison,
} from '../../contract/counterfactual.ts'
import { countOf } from '../../contract/count-of.ts'
import { escapeLine } from '../change/escape-line.ts'

const lineCharsMax = 300
const answerCharsMax = 1_500
const control = /[^\P{Cc}\n]/gu

/** What matters in a comparison, as short sentences: worst first, at most 140 characters on the whole. */
export function summarizeComparison(comparison: SiteComparison): string {
  const { brokenLinks, lostAnchors, lostPages, unreachablePages, byModel } = comparison
  const worseByModel = byModel === null ? 0 : countAnswers(byModel, 'worse')
  const count = (outcome: AnswerOutcome) => countAnswers(comparison, outcome)
  const counts = { worse: count('worse'), better: count('better'), changed: count('changed') }
  const asked = counts.worse + counts.better + counts.changed + count('same')
  const parts = [
    [counts.worse, `${countOf(counts.worse, 'answer')} worse`],
    [worseByModel, `${worseByModel} worse by the model`],
    [counts.better, `${counts.better} better`],
    [counts.changed, `${counts.changed} changed`],
    [brokenLinks.length, countOf(brokenLinks.length, 'broken link')],
    [lostAnchors.length, countOf(lostAnchors.length, 'lost anchor')],
    [lostPages.length, countOf(lostPages.length, 'lost address')],
    [unreachablePages.length, `${countOf(unreachablePages.length, 'page')} out of reach`],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([, text]) => text)
  if (said.length > 0) return `${said.join(', ')}.`
  return asked === 0 ? 'Nothing is lost for readers.' : `All ${countOf(asked, 'answer')} stay the same.`
}

/** What only those who may read readers' questions may see. */
export function hideReaderQuestions(comparison: SiteComparison): SiteComparison {
  const ofSuite = ({ origin }: ComparedAnswer) => origin === 'suite'
  const { answers, byModel } = comparison
  return {
    ...comparison,
    answers: answers.filter(ofSuite),
    byModel: byModel && { ...byModel, answers: byModel.answers.filter(ofSuite) },
  }
}

/** What the site's model makes of a change, as sentences. */
function describeModel(byModel: ModelComparison): string {
  const count = (outcome: AnswerOutcome) => countAnswers(byModel, outcome)
  const unasked = describeUnasked(byModel)
  const asked = answerOutcomes.reduce((sum, outcome) => sum + count(outcome), 0)
  const counts = `: ${count('worse')} worse, ${count('better')} better, ${count('changed')} changed, ${count('same')} the same.`
  const model = `The site's model, ${escapeLine(byModel.model, lineCharsMax)}`
  if (asked === 0) return unasked === null ? '' : `${model}: ${unasked}`
  return `${model}, was asked ${countOf(asked, 'question')} before and after${counts}${unasked === null ? '' : ` ${unasked}`}`
}

/**
 * The comment on a pull request of a forge. Questions of readers are only counted. Text of pages and answers is quoted
 * inertly. If it is too long, answers lose their texts before the lists are cut; the verdict always stays.
 */
export function writeComparisonMarkdown(comparison: SiteComparison, charsMax: number): string {
  const shown = hideReaderQuestions(comparison)
  const { reader } = comparison.counts
  const asked = reader.worse + reader.better + reader.changed + reader.same
  const readers =
    asked === 0
      ? []
      : [
          `Of the newest ${countOf(asked, 'question')} of readers: ${reader.worse} worse, ${reader.better} better, ${reader.changed} changed, ${reader.same} the same.`,
        ]
  const byModel = shown.byModel === null ? [] : [describeModel(shown.byModel)].filter((text) => text !== '')
  const head = [`### What changes for readers`, summarizeComparison(comparison), ...readers, ...byModel]
  const sections = [
    ...shown.answers.map((answer) => [describeAnswer(answer, true), describeAnswer(answer, false)] as const),
    ...(shown.byModel?.answers ?? []).map(
      (answer) =>
        [describeAnswer(answer, true, 'by the model'), describeAnswer(answer, false, 'by the model')] as const,
    ),
    ...comparison.facts.filter(({ kind }) => kind !== 'altered').map((fact) => [`- ${describeFact(fact)}`] as const),
    ...listStructure(comparison).map((line) => [`- ${line}`] as const),
  ]
  const room = charsMax - head.join('\n\n').length - 200
  return [...head, ...fitSections(sections, room)].join('\n\n')
}

/** Each in its longest form that all fit in, and as many as fit. */
function fitSections(sections: readonly (readonly string[])[], room: number): string[] {
  for (const form of [0, 1]) {
    const texts = sections.map((forms) => forms[form] ?? forms.at(-1) ?? '')
    if (texts.join('\n\n').length <= room) return texts
  }
  const fitting: string[] = []
  let left = room
  for (const forms of sections) {
    const text = forms.at(-1) ?? ''
    left -= text.length + 2
    if (left < 0) break
    fitting.push(text)
  }
  return [...fitting, `${sections.length - fitting.length} more are not listed.`]
}

function describeAnswer(answer: ComparedAnswer, isWhole: boolean, by = ''): string {
  const { question, outcome, reason, before, after } = answer
  const word = outcome === 'worse' ? 'Worse' : outcome === 'better' ? 'Better' : 'Changed'
  const line = `**${`${word} ${by}`.trim()}**: ${escapeLine(question, lineCharsMax)}  \n${escapeLine(reason, lineCharsMax)}`
  if (!isWhole) return line
  return `${line}\n\n<details><summary>Before and after</summary>\n\nBefore:\n\n${quote(before.text)}\n\nAfter:\n\n${quote(after.text)}\n\n</details>`
}

function quote(text: string): string {
  const lines = text.slice(0, answerCharsMax).replace(control, ' ').split('\n')
  return lines.map((line) => `> ${escapeLine(line, lineCharsMax)}`).join('\n')
}

const factWords = {
  removed: 'No longer said',
  contradicted: 'Said otherwise',
  moved: 'Moved',
  altered: 'Reworded',
} as const

function describeFact({ kind, from, text, to }: FactChange): string {
  const now =
    to === null
      ? ''
      : kind === 'moved'
        ? ` → ${escapeLine(to.path, lineCharsMax)}`
        : ` → “${escapeLine(to.text, lineCharsMax)}” (${escapeLine(to.path, lineCharsMax)})`
  return `${factWords[kind]}: “${escapeLine(text, lineCharsMax)}” (${escapeLine(from.path, lineCharsMax)})${now}`
}

/** One line for each thing that readers can no longer get to. @param show Makes text of the site safe where it is shown. */
export function listStructure(
  { brokenLinks, lostAnchors, lostPages, unreachablePages }: SiteComparison,
  show: (text: string) => string = (text) => escapeLine(text, lineCharsMax),
): string[] {
  return [
    ...brokenLinks.map(({ file, url }) => `Broken link: ${show(url)} in ${show(file)}`),
    ...lostPages.map(({ path }) => `Lost address: ${show(path)} leads nowhere. Add a redirect.`),
    ...lostAnchors.map(({ path, anchor }) => `Lost anchor: ${show(`${path}#${anchor}`)}`),
    ...unreachablePages.map(({ path }) => `Out of reach: nothing leads to ${show(path)} any more.`),
  ]
}
