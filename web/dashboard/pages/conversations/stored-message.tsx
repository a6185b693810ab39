import type { ReactNode } from 'react'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { AnswerMarkdown } from '../../answers/answer-markdown.tsx'
import { SourceList } from '../../answers/source-list.tsx'
import { describeVerdict } from '../../answers/verdicts.ts'
import type { ThreadMessage } from '../../../../src/contract/threads.ts'
import classes from './conversation-page.module.css'
import { language } from '../../../words/language.ts'
import { sayStored } from '../../shell/say-stored.ts'
import { say } from '../../../words/say.ts'

interface StoredMessageProps {
  message: ThreadMessage
  /** Address of an answer's receipt. */
  receipt: string
  /** Further links below an answer. */
  children: ReactNode
}

export function StoredMessage({ message, receipt, children }: StoredMessageProps) {
  if (message.role === 'user') return <p className={classes.question}>{message.text}</p>
  return (
    <Card aria-label={say('Answer')}>
      <AnswerMarkdown {...message} />
      <SourceList {...message} />
      <Judgement message={message} />
      <Comments message={message} />
      <Facts facts={listFacts(message)} />
      <p className={classes.links}>
        <a href={receipt} download={`receipt-${message.id}.json`}>
          {say('Receipt')}
        </a>
        {children}
      </p>
    </Card>
  )
}

/** The service's verdict and the reader's feedback. */
function Judgement({ message: { verdict, verdictReasons, feedback } }: { message: ThreadMessage }) {
  const judged = verdict === null ? null : describeVerdict(verdict)
  return (
    <div className={classes.judgement}>
      {judged === null ? null : <Badge tone={judged.tone}>{judged.label}</Badge>}
      {feedback === 'helpful' ? (
        <Badge tone="success">
          <ThumbsUp size={13} aria-hidden /> {say('The reader found it helpful')}
        </Badge>
      ) : null}
      {feedback === 'unhelpful' ? (
        <Badge tone="danger">
          <ThumbsDown size={13} aria-hidden /> {say('The reader found it unhelpful')}
        </Badge>
      ) : null}
      <span className={classes.muted}>{verdictReasons.map(sayStored).join(' ')}</span>
    </div>
  )
}

/** The words of the reasons that the widget offers; front ends of others have their own. */
const reasonWords: Readonly<Record<string, string>> = {
  incorrect: say('It is wrong'),
  'not-asked': say('Not what was asked'),
  outdated: say('It is outdated'),
  incomplete: say('Something is missing'),
  unclear: say('Hard to follow'),
  other: say('Something else'),
}

/** Reasons and comments of readers. */
function Comments({ message: { ratings } }: { message: ThreadMessage }) {
  const said = ratings.flatMap(({ reason, note }) => {
    const parts = [reason === null ? '' : (reasonWords[reason] ?? reason), note === null ? '' : `“${note}”`]
    const text = parts.filter((part) => part !== '').join(': ')
    return text === '' ? [] : [text]
  })
  if (said.length === 0) return null
  return (
    <ul className={classes.comments} aria-label={say('Comments of readers')}>
      {said.map((text, index) => (
        <li key={index}>{text}</li>
      ))}
    </ul>
  )
}

function listFacts({ createdAt, model, costUsd, usage, timings, asked }: ThreadMessage) {
  const totalMs = timings?.['totalMs']
  return [
    [say('Answered'), <TimeText key="time" time={createdAt} />] as const,
    ...(model === null ? [] : [[say('Model'), model] as const]),
    ...(totalMs === undefined
      ? []
      : [[say('Duration'), `${Math.round(totalMs).toLocaleString(language)} ms`] as const]),
    ...(usage === null
      ? []
      : [
          [
            say('Tokens'),
            say('{inputTokens} in, {outputTokens} out', {
              inputTokens: usage.inputTokens,
              outputTokens: usage.outputTokens,
            }),
          ] as const,
        ]),
    ...(costUsd === null ? [] : [[say('Cost'), costUsd.toLocaleString(language, usd)] as const]),
    ...(asked === null ? [] : [[say('Channel'), asked.caller] as const]),
    ...(asked?.currentPath == null
      ? []
      : [[say('Reader’s page'), <code key="page">{asked.currentPath}</code>] as const]),
    ...(asked === null || asked.triedPaths.length === 0
      ? []
      : [[say('Pages read'), asked.triedPaths.join(', ')] as const]),
  ]
}

const usd = { style: 'currency', currency: 'USD', minimumFractionDigits: 4, maximumFractionDigits: 4 } as const
