import type { ReactNode } from 'react'
import classes from './badge.module.css'
import { joinClasses } from './join-classes.ts'

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger'

/** A state in one or two words. The words say it; the colour only helps to find it. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={joinClasses(classes.badge, classes[tone])}>{children}</span>
}
