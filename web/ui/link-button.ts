import classes from './button.module.css'
import { joinClasses } from './join-classes.ts'

/** Class of a link that looks like a button, because it starts something. */
export function linkButton(look: 'primary' | 'secondary' = 'secondary'): string {
  return joinClasses(classes.button, classes[look])
}
