import type { ReactNode } from 'react'
import classes from './badge.module.css'
import { joinClasses } from './join-classes.ts'

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'

/** A state in one or two words. The meaning is in the words, not the colour. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={joinClasses(classes.badge, classes[tone])}>{children}</span>
}
