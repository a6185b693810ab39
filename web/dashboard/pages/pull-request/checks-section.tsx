import type { PullRequestViewResource } from '../../../../src/contract/pull-request-view.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Section } from '../../../ui/section.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './pull-request-page.module.css'
import { sayStored } from '../../shell/say-stored.ts'
import { say } from '../../../words/say.ts'

const checkStates: Readonly<Record<PullRequestViewResource['checks'][number]['state'], { tone: Tone; label: string }>> =
  {
    passed: { tone: 'success', label: say('Passed') },
    warning: { tone: 'warning', label: say('Warning') },
    failed: { tone: 'danger', label: say('Failed') },
  }

export function ChecksSection({ checks }: Pick<PullRequestViewResource, 'checks'>) {
  if (checks.length === 0) return null
  return (
    <Section title={say('Checks')}>
      <ul className={classes.rows}>
        {checks.map(({ name, state, summary }) => (
          <li key={name}>
            <Badge tone={checkStates[state].tone}>{checkStates[state].label}</Badge>{' '}
            <strong>
              <VisibleText text={sayStored(name)} />
            </strong>
            {summary === '' ? null : (
              <p className={classes.muted}>
                <VisibleText text={sayStored(summary)} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
