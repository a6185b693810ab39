import { useState } from 'react'
import {
  type AnswerOutcome,
  type AnswerSide,
  type ComparedAnswer,
  countAnswers,
  describeUnasked,
  type FactChange,
  type ModelComparison,
  type ReadersChange,
  type SiteComparison,
} from '../../../../src/contract/counterfactual.ts'
import { isAnswer } from '../../../../src/contract/verdicts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { AnswerMarkdown } from '../../answers/answer-markdown.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './readers-section.module.css'
import { say, sayCount } from '../../../words/say.ts'

/** Answers, facts and lost links shown at first. */
const shownMax = 5
const nothingLinked = [] as const

/** What a pull request changes for the readers of the sites that are read from its repository. */
export function ReadersSection({ readers }: { readers: readonly ReadersChange[] }) {
  if (readers.length === 0) return null
  return (
    <Section title={say('What changes for readers')}>
      {readers.map((change) => (
        <SiteReaders key={change.site} change={change} isNamed={readers.length > 1} />
      ))}
    </Section>
  )
}

function SiteReaders({ change, isNamed }: { change: ReadersChange; isNamed: boolean }) {
  const { site, comparison, isCurrent } = change
  const note = describeState(change)
  return (
    <>
      {isNamed ? <h3>{site}</h3> : null}
      {note === null ? null : <p className={classes.muted}>{note}</p>}
      {comparison === null ? null : (
        <div className={isCurrent ? undefined : classes.outdated}>
          <Counts comparison={comparison} />
          <Answers answers={comparison.answers} />
          {comparison.byModel == null ? null : <ByModel byModel={comparison.byModel} />}
          <Losses comparison={comparison} />
        </div>
      )}
    </>
  )
}

function describeState({ state, failure, isCurrent, comparison }: ReadersChange): string | null {
  if (state === 'failed') return say('It could not be compared. {failure}', { failure: failure ?? '' })
  if (state === 'waiting' && !isCurrent) {
    return comparison === null
      ? say('The questions are being asked on this branch.')
      : say('For an earlier commit; the newest is being compared.')
  }
  return isCurrent ? null : say('Of an earlier commit.')
}

const outcomes: Readonly<Record<AnswerOutcome, { tone: Tone; label: string; says: string }>> = {
  worse: { tone: 'danger', label: say('Worse'), says: say('worse') },
  better: { tone: 'success', label: say('Better'), says: say('better') },
  changed: { tone: 'neutral', label: say('Changed'), says: say('in other words or from another source') },
  same: { tone: 'neutral', label: say('Same'), says: say('the same') },
}

function ByModel({ byModel }: { byModel: ModelComparison }) {
  const unasked = describeUnasked(byModel)
  const isAsked = byModel.unasked === null || byModel.unasked.reason !== 'fork'
  return (
    <>
      <h3 className={classes.model}>{say('With the site’s model, {model}', { model: byModel.model })}</h3>
      {unasked === null ? null : <p className={classes.muted}>{unasked}</p>}
      {isAsked ? <Counts comparison={byModel} /> : null}
      <Answers answers={byModel.answers} />
    </>
  )
}

function Counts({ comparison }: { comparison: Pick<SiteComparison, 'counts'> }) {
  const counts = (['worse', 'better', 'changed', 'same'] as const).map((outcome) => ({
    outcome,
    count: countAnswers(comparison, outcome),
  }))
  const asked = counts.reduce((sum, { count }) => sum + count, 0)
  if (asked === 0)
    return <p className={classes.muted}>{say('No question was asked: there are none, or the change affects none.')}</p>
  return (
    <ul className={classes.counts}>
      {counts.map(({ outcome, count }) => (
        <li key={outcome}>
          <strong className={count === 0 ? classes.none : classes[outcome]}>
            {say('{count} of {asked}', { count, asked })}
          </strong>
          <span>{outcomes[outcome].says}</span>
        </li>
      ))}
    </ul>
  )
}

function Answers({ answers }: { answers: readonly ComparedAnswer[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? answers : answers.slice(0, shownMax)
  return (
    <>
      {shown.map((answer) => (
        <Answer key={`${answer.origin} ${answer.question}`} answer={answer} />
      ))}
      {shown.length === answers.length ? null : (
        <p>
          <Button size="small" onClick={() => setWhole(true)}>
            {sayCount(answers.length - shown.length, 'Show {count} more answer', 'Show {count} more answers')}
          </Button>
        </p>
      )}
    </>
  )
}

function Answer({ answer }: { answer: ComparedAnswer }) {
  const { question, outcome, reason, before, after, failures } = answer
  return (
    <article className={classes.answer}>
      <header>
        <h3>
          <VisibleText text={question} />
        </h3>
        <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>
      </header>
      <p className={classes.muted}>
        <VisibleText text={[reason, ...failures.filter((failure) => !reason.includes(failure))].join(' ')} />
      </p>
      <div className={classes.sides}>
        <Side title={say('Before')} side={before} />
        <Side title={say('After')} side={after} />
      </div>
    </article>
  )
}

function Side({ title, side: { verdict, text } }: { title: string; side: AnswerSide }) {
  const isAnswered = isAnswer(verdict)
  return (
    <section>
      <h4>
        {title}{' '}
        <Badge tone={isAnswered ? 'success' : 'warning'}>{isAnswered ? say('Answered') : say('Not answered')}</Badge>
      </h4>
      <AnswerMarkdown text={text} sources={nothingLinked} />
    </section>
  )
}

const factWords: Readonly<Record<FactChange['kind'], string>> = {
  removed: say('No longer said'),
  contradicted: say('Said otherwise'),
  moved: say('Moved'),
  altered: say('Reworded'),
}

function Losses({ comparison }: { comparison: SiteComparison }) {
  const { brokenLinks, lostAnchors, lostPages, unreachablePages } = comparison
  const facts = comparison.facts.filter(({ kind }) => kind !== 'altered')
  const lost = [
    ...brokenLinks.map(({ url, file }) => say('Broken link: {url} in {file}', { url, file })),
    ...lostPages.map(({ path }) => say('Lost address: {path} no longer works. Add a redirect.', { path })),
    ...lostAnchors.map(({ path, anchor }) => say('Lost anchor: {path}#{anchor}', { path, anchor })),
    ...unreachablePages.map(({ path }) => say('Unreachable: nothing links to {path} any more.', { path })),
  ]
  return (
    <>
      <Folded
        title={sayCount(lost.length, '{count} dead end', '{count} dead ends')}
        isOpen={lost.length <= shownMax}
        items={lost}
      />
      <Folded
        title={sayCount(facts.length, '{count} changed fact', '{count} changed facts')}
        isOpen={false}
        items={facts.map(describeFact)}
      />
    </>
  )
}

function describeFact({ kind, text, from, to }: FactChange): string {
  const now = to === null ? '' : kind === 'moved' ? ` → ${to.path}` : ` → “${to.text}” (${to.path})`
  return `${factWords[kind]}: “${text}” (${from.path})${now}`
}

function Folded({ title, isOpen, items }: { title: string; isOpen: boolean; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <details open={isOpen} className={classes.folded}>
      <summary>{title}</summary>
      <ul>
        {items.map((item) => (
          <li key={item}>
            <VisibleText text={item} />
          </li>
        ))}
      </ul>
    </details>
  )
}
