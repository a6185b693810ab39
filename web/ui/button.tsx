import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import classes from './button.module.css'
import { joinClasses } from './join-classes.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` for the main action of a page or dialog. */
  look?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  size?: 'normal' | 'small' | undefined
  /** While its action runs: keeps its size and focus, and ignores clicks. */
  isBusy?: boolean | undefined
}

export function Button({ look = 'secondary', size = 'normal', isBusy = false, ...rest }: ButtonProps) {
  const { className, children, onClick, type = 'button', ...attributes } = rest
  return (
    <button
      {...attributes}
      type={type}
      aria-disabled={isBusy || undefined}
      className={joinClasses(classes.button, classes[look], size === 'small' && classes.small, className)}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {isBusy ? <LoaderCircle className={classes.spinner} size={16} aria-hidden /> : null}
      {children}
    </button>
  )
}

/** Class that makes a link look like a button. */
export function buttonLook(look: 'primary' | 'secondary' = 'secondary'): string {
  return joinClasses(classes.button, classes[look])
}

/** An icon-only button. Its label is announced, and shown as a tooltip. */
export function IconButton({ label, ...rest }: { label: string } & ButtonProps) {
  const { className, ...props } = rest
  return (
    <Button look="quiet" {...props} className={joinClasses(classes.icon, className)} aria-label={label} title={label} />
  )
}
