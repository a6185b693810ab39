import { isForgeKind } from '../../../../src/contract/code-hosts.ts'
import type { SourceCheck } from '../../../../src/contract/source-check.ts'
import { Notice } from '../../../ui/notice.tsx'
import { StepList } from '../../shell/step-list.tsx'
import classes from './check-steps.module.css'
import { say } from '../../../words/say.ts'

/** Results of checking a source, each with a sentence on what was found or what to do. */
export function CheckSteps({ check, isBusy }: { check: SourceCheck | null; isBusy: boolean }) {
  return (
    <div role="status" className={classes.place}>
      {isBusy ? (
        <p className={classes.busy}>{say('Checking the source. A large repository can take up to two minutes.')}</p>
      ) : null}
      {check === null || isBusy ? null : (
        <>
          <StepList steps={check.steps} />
          <Verdict check={check} />
        </>
      )}
    </div>
  )
}

function Verdict({ check: { source, canRead, canPropose } }: { check: SourceCheck }) {
  if (!canRead)
    return <Notice tone="danger">{say('The pages cannot be read yet. Fix what failed and check again.')}</Notice>
  const isOnForge = source !== null && isForgeKind(source.kind)
  if (isOnForge && !canPropose) {
    return (
      <Notice tone="warning">
        {say('The pages can be read. The agent can open pull requests once the warnings are resolved.')}
      </Notice>
    )
  }
  return <Notice tone="success">{say('The pages can be read.')}</Notice>
}
