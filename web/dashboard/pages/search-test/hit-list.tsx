import { Card } from '../../../ui/card.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Section } from '../../../ui/section.tsx'
import { StackedBar } from '../../../ui/stacked-bar.tsx'
import { type ExplainedHit, listFactors, listHitParts } from './hit-parts.ts'
import { markTerms } from './mark-terms.ts'
import classes from './search-test-page.module.css'
import { say } from '../../../words/say.ts'

/** Matching passages, best first. */
export function HitList({ hits }: { hits: readonly ExplainedHit[] }) {
  const valueMax = Math.max(...hits.map(({ words }) => words.value))
  return (
    <Section title={say('Passages ({hits})', { hits: hits.length })}>
      <ol className={classes.hits}>
        {hits.map((hit, index) => (
          <li key={`${hit.path} ${hit.anchor} ${index}`}>
            <Hit hit={hit} place={index + 1} valueMax={valueMax} />
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Hit({ hit, place, valueMax }: { hit: ExplainedHit; place: number; valueMax: number }) {
  const terms = hit.words.terms.map(({ term }) => term)
  const way = [...hit.headings].filter((heading) => heading !== hit.title)
  return (
    <Card aria-label={say('Passage {place}', { place })}>
      <div className={classes.head}>
        <h3 className={classes.title}>
          {place}.{' '}
          <ExternalLink href={hit.href}>
            <Marked text={hit.title} terms={terms} />
          </ExternalLink>
        </h3>
        <span className={classes.muted}>{say('score {score}', { score: hit.score.toFixed(2) })}</span>
      </div>
      <p className={classes.muted}>
        <code>
          <Marked text={`${hit.path}${hit.anchor === null ? '' : `#${hit.anchor}`}`} terms={terms} />
        </code>
        {way.length === 0 ? null : (
          <>
            {' '}
            · <Marked text={way.join(' › ')} terms={terms} />
          </>
        )}
        {[hit.version, hit.language].map((edition) => (edition === null ? '' : ` · ${edition}`))}
      </p>
      <StackedBar label={say('Word score')} parts={listHitParts(hit)} max={valueMax} />
      <ul className={classes.factors}>
        {listFactors(hit).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <details>
        <summary>{say('Passage text')}</summary>
        <p className={classes.content}>
          <Marked text={hit.content} terms={terms} />
        </p>
      </details>
    </Card>
  )
}

function Marked({ text, terms }: { text: string; terms: readonly string[] }) {
  return markTerms(text, terms).map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))
}
