import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CheckCircle2, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Card } from '../../../ui/card.tsx'
import { CodeSample } from '../../../ui/code-sample.tsx'
import { siteSummaryQuery } from '../../api/insights.ts'
import { useSession } from '../../api/session.ts'
import { siteWord } from '../../shell/places.ts'
import classes from './home-page.module.css'

/** What an owner does first in a new installation. */
export function FirstStepsCard({ demo }: { demo: SiteResource }) {
  const { organization, commandPrefix = 'docent' } = useSession()
  const summary = useQuery(siteSummaryQuery(demo.id))
  const hasAsked = summary.data !== undefined && summary.data.total.questions + summary.data.playgroundAnswers > 0
  return (
    <Card aria-labelledby="first-steps">
      <h2 id="first-steps" className={classes.heading}>
        First steps
      </h2>
      <ol className={classes.steps}>
        <Step title="Ask the Docent documentation" isDone={hasAsked}>
          It is the first site of every installation.{' '}
          <Link
            to="/$organization/$domain/playground"
            params={{ organization: organization.id, domain: siteWord(demo) }}
          >
            Ask it in the playground
          </Link>
          , or <a href={`/sites/${demo.slug}`}>read it</a>.
        </Step>
        <Step title="Add your own site">
          From a git repository, a folder, or a published site that is crawled.{' '}
          <Link to="/$organization/new" params={{ organization: organization.id }}>
            Add it here
          </Link>
          , or on the server:
          <CodeSample
            title="Shell"
            what="command that adds a site"
            code={`${commandPrefix} site add https://github.com/acme/docs`}
          />
        </Step>
        <Step title="Put the assistant on your website">
          The last step of adding a site shows the one line for it. Try it with the{' '}
          <Link to="/$organization/$domain/live" params={{ organization: organization.id, domain: siteWord(demo) }}>
            widget of this site
          </Link>
          .
        </Step>
      </ol>
    </Card>
  )
}

function Step({ title, isDone = false, children }: { title: string; isDone?: boolean; children: ReactNode }) {
  const Icon = isDone ? CheckCircle2 : Circle
  return (
    <li className={classes.step}>
      <Icon size={18} aria-label={isDone ? 'Done' : 'To do'} className={isDone ? classes.done : classes.toDo} />
      <div className={classes.stepText}>
        <h3 className={classes.stepTitle}>{title}</h3>
        <div className={classes.muted}>{children}</div>
      </div>
    </li>
  )
}
