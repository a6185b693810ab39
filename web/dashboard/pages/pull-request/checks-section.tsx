import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Section } from '../../../ui/section.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './pull-request-page.module.css'

const checkStates: Readonly<Record<PullRequestViewResource['checks'][number]['state'], { tone: Tone; label: string }>> =
  {
    passed: { tone: 'success', label: 'Passed' },
    warning: { tone: 'warning', label: 'Warning' },
    failed: { tone: 'danger', label: 'Failed' },
  }

export function ChecksSection({ checks }: Pick<PullRequestViewResource, 'checks'>) {
  if (checks.length === 0) return null
  return (
    <Section title="Checks">
      <ul className={classes.rows}>
        {checks.map(({ name, state, summary }) => (
          <li key={name}>
            <Badge tone={checkStates[state].tone}>{checkStates[state].label}</Badge>{' '}
            <strong>
              <VisibleText text={name} />
            </strong>
            {summary === '' ? null : (
              <p className={classes.muted}>
                <VisibleText text={summary} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
