import classes from './button.module.css'
import { joinClasses } from './join-classes.ts'

/** The class of a link that looks like a button, because it begins something. */
export function linkButton(look: 'primary' | 'secondary' = 'secondary'): string {
  return joinClasses(classes.button, classes[look])
}
