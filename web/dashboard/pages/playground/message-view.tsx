import { Fragment, memo, useMemo } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { AnswerMarkdown } from '../../answers/answer-markdown.tsx'
import { SourceList } from '../../answers/source-list.tsx'
import { describeVerdict } from '../../answers/verdicts.ts'
import classes from './chat.module.css'
import { MessageDetails } from './message-details.tsx'
import { type PlaygroundMessage, readMessage } from './playground-message.ts'
import { sayStored } from '../../shell/say-stored.ts'
import { say } from '../../../words/say.ts'

export interface MessageViewProps {
  message: PlaygroundMessage
  isRunning: boolean
}

/** A question, or an answer with its details. Memoized, because other messages grow while streaming. */
export const MessageView = memo(function MessageView({ message, isRunning }: MessageViewProps) {
  const view = useMemo(() => readMessage(message), [message])
  if (message.role === 'user') return <p className={classes.question}>{view.text}</p>
  const verdict = view.verdict === null ? null : describeVerdict(view.verdict.verdict)
  return (
    <Card aria-label={say('Answer')}>
      {isRunning && view.running.length > 0 ? (
        <p className={classes.muted}>{view.running.map((name) => `${name} …`).join(' ')}</p>
      ) : null}
      {view.text === '' ? null : <AnswerMarkdown {...view} />}
      <SourceList sources={view.sources} citations={view.citations} verdict={view.verdict?.verdict ?? null} />
      {view.suggestions.length === 0 ? null : (
        <p>
          <span className={classes.muted}>{say('See also:')}</span>{' '}
          {view.suggestions.map(({ url, title }, index) => (
            <Fragment key={url}>
              {index === 0 ? null : ', '}
              <ExternalLink href={url}>{title}</ExternalLink>
            </Fragment>
          ))}
        </p>
      )}
      {verdict === null ? null : (
        <div className={classes.verdict}>
          <Badge tone={verdict.tone}>{verdict.label}</Badge>
          <span className={classes.muted}>{view.verdict?.reasons.map(sayStored).join(' ')}</span>
        </div>
      )}
      <MessageDetails view={view} />
    </Card>
  )
})
