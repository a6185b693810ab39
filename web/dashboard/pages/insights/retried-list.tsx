import type { RetriedQuestion } from '../../../../src/contract/insights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import classes from './insights-page.module.css'
import { describeVerdict } from './question-words.ts'
import { say, sayParts } from '../../../words/say.ts'

/** Answers before and after, side by side. */
export function RetriedList({ retried }: { retried: readonly RetriedQuestion[] }) {
  return (
    <Section
      title={say('Asked again')}
      description={say('The same questions, before and after. These do not count as reader questions.')}
    >
      {retried.map(({ question, before, after, askedAt }, index) => (
        <article key={index} className={classes.stack} aria-label={question}>
          <h3>{question}</h3>
          <p className={classes.muted}>{sayParts('Asked again {askedAt}', { askedAt: <TimeText time={askedAt} /> })}</p>
          <div className={classes.sides}>
            <Side title={say('Before')} {...before} />
            <Side title={say('After')} {...after} />
          </div>
        </article>
      ))}
    </Section>
  )
}

function Side({ title, verdict, answer }: { title: string } & RetriedQuestion['before']) {
  const { tone, label } = describeVerdict(verdict)
  return (
    <div className={classes.side}>
      <div className={classes.sideHead}>
        <strong>{title}</strong>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className={classes.text}>{answer === '' ? say('The answer is empty.') : answer}</p>
    </div>
  )
}
