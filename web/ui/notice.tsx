import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'
import classes from './notice.module.css'
import { joinClasses } from './join-classes.ts'

/** A sentence that belongs to what is below or above it. A fault is heard at once. */
export function Notice({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={joinClasses(classes.notice, classes[tone])} role={tone === 'danger' ? 'alert' : undefined}>
      {children}
    </div>
  )
}
