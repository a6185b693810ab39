import { CopyButton } from './copy-button.tsx'
import classes from './code-sample.module.css'

/** Code with a copy button. */
export function CodeSample({ code, title, what }: { code: string; title: string; what: string }) {
  return (
    <figure className={classes.sample}>
      <figcaption className={classes.head}>
        <span>{title}</span>
        <CopyButton text={code} what={what} hasText look="quiet" />
      </figcaption>
      {/* Scrollable regions must be reachable by keyboard. */}
      <pre className={classes.code} tabIndex={0} aria-label={what}>
        <code>{code}</code>
      </pre>
    </figure>
  )
}
