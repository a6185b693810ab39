import {
  CircleAlert,
  CircleCheck,
  GitCommitHorizontal,
  LoaderCircle,
  MessageSquare,
  Sparkles,
  Wrench,
} from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { joinClasses } from '../../../ui/join-classes.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import type { JobEvent } from '../../api/job-events.ts'
import { describeEvent, type EventLine } from './describe-event.ts'
import classes from './job-timeline.module.css'
import { say, sayCount } from '../../../words/say.ts'

/** Entries shown until the user asks for all. */
const shownMax = 150

/** Messages and actions of a job, in order, live. */
export function JobTimeline({ events, isActive }: { events: readonly JobEvent[]; isActive: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const lines = events.flatMap(({ seq, event }) => {
    const line = describeEvent(event)
    return line === null ? [] : [{ seq, line }]
  })
  const hidden = isWhole ? 0 : Math.max(0, lines.length - shownMax)
  return (
    <>
      {hidden === 0 ? null : (
        <Button size="small" onClick={() => setWhole(true)}>
          {sayCount(hidden, 'Show {count} earlier step', 'Show {count} earlier steps')}
        </Button>
      )}
      {events.length === 0 ? <Skeleton count={3} /> : null}
      <ol className={classes.lines}>
        {lines.slice(hidden).map(({ seq, line }) => (
          <li key={seq} className={joinClasses(classes.line, classes[line.kind])}>
            <LinePicture line={line} />
            <LineText line={line} />
          </li>
        ))}
      </ol>
      {isActive ? (
        <p className={classes.working}>
          <LoaderCircle className={classes.spinner} size={16} aria-hidden /> {say('The agent is working …')}
        </p>
      ) : null}
    </>
  )
}

function LinePicture({ line: { kind, failure } }: { line: EventLine }) {
  if (failure !== undefined) return <CircleAlert className={classes.fault} size={16} aria-label={say('Failed:')} />
  if (kind === 'message') return <MessageSquare size={16} aria-label={say('Message:')} />
  if (kind === 'end') return <CircleCheck className={classes.done} size={16} aria-hidden />
  const Picture = kind === 'text' ? Sparkles : kind === 'tool' ? Wrench : GitCommitHorizontal
  return <Picture size={16} aria-hidden />
}

function LineText({ line: { text, subject, failure } }: { line: EventLine }) {
  return (
    <div className={classes.text}>
      <p>
        <VisibleText text={text} hasLines />{' '}
        {subject === undefined ? null : (
          <code>
            <VisibleText text={subject} />
          </code>
        )}
      </p>
      {failure === undefined ? null : (
        <p className={classes.reason}>
          <VisibleText text={failure} hasLines />
        </p>
      )}
    </div>
  )
}
