import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import classes from './notice.module.css'
import { joinClasses } from './join-classes.ts'

/** A highlighted sentence. Errors are announced immediately. */
export function Notice({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={joinClasses(classes.notice, classes[tone])} role={tone === 'danger' ? 'alert' : undefined}>
      {children}
    </div>
  )
}
