import { CircleAlert, CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import { isForgeKind } from '../../../../src/contract/code-hosts.ts'
import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import { Notice } from '../../../ui/notice.tsx'
import classes from './check-steps.module.css'

const looks = {
  passed: { icon: CircleCheck, label: 'Passed' },
  warning: { icon: CircleAlert, label: 'Warning' },
  failed: { icon: CircleX, label: 'Failed' },
  skipped: { icon: CircleMinus, label: 'Not checked' },
} as const

/** Results of checking a source, each with a sentence on what was found or what to do. */
export function CheckSteps({ check, isBusy }: { check: SourceCheck | null; isBusy: boolean }) {
  return (
    <div role="status" className={classes.place}>
      {isBusy ? (
        <p className={classes.busy}>Checking the source. A large repository can take up to two minutes.</p>
      ) : null}
      {check === null || isBusy ? null : (
        <>
          <ul className={classes.steps} aria-label="Check results">
            {check.steps.map(({ state, subject, message }, index) => {
              const { icon: Icon, label } = looks[state]
              return (
                <li key={index} className={classes[state]}>
                  <Icon size={17} aria-label={label} />
                  <span>
                    {subject === null ? null : <code>{subject}</code>} {message}
                  </span>
                </li>
              )
            })}
          </ul>
          <Verdict check={check} />
        </>
      )}
    </div>
  )
}

function Verdict({ check: { source, canRead, canPropose } }: { check: SourceCheck }) {
  if (!canRead) return <Notice tone="danger">The pages cannot be read yet. Fix what failed and check again.</Notice>
  const isOnForge = source !== null && isForgeKind(source.kind)
  if (isOnForge && !canPropose) {
    return (
      <Notice tone="warning">
        The pages can be read. The agent can open pull requests once the warnings are resolved.
      </Notice>
    )
  }
  return <Notice tone="success">The pages can be read.</Notice>
}
