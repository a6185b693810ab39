import type { ComponentProps } from 'react'
import classes from './card.module.css'
import { joinClasses } from './join-classes.ts'

export function Card({ className, ...attributes }: ComponentProps<'section'>) {
  return <section {...attributes} className={joinClasses(classes.card, className)} />
}
