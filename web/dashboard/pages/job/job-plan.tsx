import { Circle, CircleCheck, CircleDot } from 'lucide-react'
import type { AgentPlanItem } from '../../../../src/contract/agent-job-event.ts'
import { Section } from '../../../ui/section.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './job-page.module.css'
import { say } from '../../../words/say.ts'

const pictures = { open: Circle, doing: CircleDot, done: CircleCheck } as const
const states = { open: say('To do:'), doing: say('In progress:'), done: say('Done:') } as const

/** Not every job has a plan. */
export function JobPlan({ items }: { items: readonly AgentPlanItem[] }) {
  if (items.length === 0) return null
  return (
    <Section title={say('Plan')}>
      <ol className={classes.plan}>
        {items.map(({ text, state }, index) => {
          const Picture = pictures[state]
          return (
            <li key={index} className={classes.planItem} data-state={state}>
              <Picture size={16} aria-label={states[state]} />
              <span>
                <VisibleText text={text} />
              </span>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
