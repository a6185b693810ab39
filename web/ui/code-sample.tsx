import { CopyButton } from './copy-button.tsx'
import classes from './code-sample.module.css'

/** Code that is there to be taken along. */
export function CodeSample({ code, title, what }: { code: string; title: string; what: string }) {
  return (
    <figure className={classes.sample}>
      <figcaption className={classes.head}>
        <span>{title}</span>
        <CopyButton text={code} what={what} hasText look="quiet" />
      </figcaption>
      {/* Longer lines are reached by the keyboard too. */}
      <pre className={classes.code} tabIndex={0} aria-label={what}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
