import { sentenceVerdictWords } from '../../../citations/sentence-verdict-words.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Facts } from '../../../ui/facts.tsx'
import type { PlaygroundStep, PlaygroundVerdict } from '../../../../src/contract/playground.ts'
import classes from './chat.module.css'
import type { AnswerView } from './playground-message.ts'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

type Sentence = PlaygroundVerdict['sentences'][number]

/** What readers do not see: steps, verdict by sentence, timings and cost. */
export function MessageDetails({ view }: { view: AnswerView }) {
  const { verdict, steps, timings, cost } = view
  const sentences = verdict?.sentences ?? []
  return (
    <div className={classes.details}>
      {steps.length === 0 ? null : (
        <details>
          <summary>
            {say('Steps ({steps}), {tookMs} ms', {
              steps: steps.length,
              tookMs: steps.reduce((sum, { tookMs }) => sum + tookMs, 0),
            })}
          </summary>
          <ol className={classes.steps}>
            {steps.map((step) => (
              <li key={step.callId}>
                <Step step={step} />
              </li>
            ))}
          </ol>
        </details>
      )}
      {sentences.length === 0 ? null : (
        <details>
          <summary>{say('Verdict by sentence ({sentences})', { sentences: sentences.length })}</summary>
          <ul className={classes.sentences}>
            {sentences.map((sentence, index) => (
              <li key={index}>
                <SentenceView sentence={sentence} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {timings === null && cost === null ? null : <Facts facts={listNumbers({ timings, cost })} />}
    </div>
  )
}

function Step({ step: { toolName, input, tookMs, outcome, message, pages } }: { step: PlaygroundStep }) {
  return (
    <>
      <code>{toolName}</code> <code className={classes.muted}>{JSON.stringify(input)}</code>{' '}
      <span className={classes.muted}>{`${tookMs.toLocaleString(language)} ms`}</span>
      {outcome === 'failed' ? (
        <>
          {' '}
          <Badge tone="danger">{say('failed')}</Badge> {message}
        </>
      ) : null}
      <ul className={classes.pages}>
        {pages.map(({ path, title, score }, index) => (
          <li key={index}>
            {title} <code className={classes.muted}>{path}</code>
            {score === null ? null : (
              <span className={classes.muted}> {score.toLocaleString(language, twoDigits)}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function SentenceView({ sentence: { text, facts, state } }: { sentence: Sentence }) {
  const { tone, label } = sentenceVerdictWords[state]
  const missing = facts.filter(({ isHeld }) => !isHeld)
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <span>
        {text}
        {missing.length === 0 ? null : (
          <span className={classes.muted}>
            {say('No cited page contains {missing}.', { missing: missing.map(({ text }) => `“${text}”`).join(', ') })}
          </span>
        )}
      </span>
    </>
  )
}

function listNumbers({ timings, cost }: Pick<AnswerView, 'timings' | 'cost'>) {
  const ms = (value: number) => `${Math.round(value).toLocaleString(language)} ms`
  return [
    ...(cost === null ? [] : [[say('Model'), cost.model ?? '–'] as const]),
    ...(timings?.searchMs == null ? [] : [[say('First search'), ms(timings.searchMs)] as const]),
    ...(timings?.firstTextMs == null ? [] : [[say('First text'), ms(timings.firstTextMs)] as const]),
    ...(timings === null ? [] : [[say('Total time'), ms(timings.totalMs)] as const]),
    ...(cost === null
      ? []
      : [
          [
            say('Tokens'),
            say('{inputTokens} in, {outputTokens} out', {
              inputTokens: cost.inputTokens,
              outputTokens: cost.outputTokens,
            }),
          ] as const,
          [say('Cost'), cost.costUsd === null ? say('unknown') : cost.costUsd.toLocaleString(language, usd)] as const,
        ]),
  ]
}

const usd = { style: 'currency', currency: 'USD', minimumFractionDigits: 4, maximumFractionDigits: 4 } as const

const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
