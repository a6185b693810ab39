import { CircleAlert, CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import classes from './step-list.module.css'
import { say } from '../../words/say.ts'

const looks = {
  passed: { icon: CircleCheck, label: say('Passed') },
  warning: { icon: CircleAlert, label: say('Warning') },
  failed: { icon: CircleX, label: say('Failed') },
  skipped: { icon: CircleMinus, label: say('Not checked') },
} as const

export interface ListedStep {
  state: keyof typeof looks
  /** What was found or what to do, in a sentence. */
  message: string
  /** What the step is about, such as the name of a permission. */
  subject?: string | null
}

/** Results of a check. */
export function StepList({ steps }: { steps: readonly ListedStep[] }) {
  return (
    <ul className={classes.steps} aria-label={say('Check results')}>
      {steps.map(({ state, subject = null, message }, index) => {
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
  )
}
