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
import { say, sayParts } from '../../../words/say.ts'

/** What an owner does first in a new installation. */
export function FirstStepsCard({ demo }: { demo: SiteResource }) {
  const { organization, commandPrefix = 'docent' } = useSession()
  const summary = useQuery(siteSummaryQuery(demo.id))
  const hasAsked = summary.data !== undefined && summary.data.total.questions + summary.data.playgroundAnswers > 0
  return (
    <Card aria-labelledby="first-steps">
      <h2 id="first-steps" className={classes.heading}>
        {say('First steps')}
      </h2>
      <ol className={classes.steps}>
        <Step title={say('Ask the Docent documentation')} isDone={hasAsked}>
          {sayParts(
            'It is the first site of every installation. <link>Ask it in the playground</link>, or <link2>read it</link2>.',
            {
              link: (text) => (
                <Link
                  to="/$organization/$domain/playground"
                  params={{ organization: organization.id, domain: siteWord(demo) }}
                >
                  {text}
                </Link>
              ),
              link2: (text) => <a href={`/sites/${demo.slug}`}>{text}</a>,
            },
          )}
        </Step>
        <Step title={say('Add your own site')}>
          {sayParts(
            'Use a git repository, a folder, or a published site to crawl. <link>Add it here</link>, or on the server:',
            {
              link: (text) => (
                <Link to="/$organization/new" params={{ organization: organization.id }}>
                  {text}
                </Link>
              ),
            },
          )}
          <CodeSample
            title={say('Shell')}
            what={say('command that adds a site')}
            code={`${commandPrefix} site add https://github.com/acme/docs`}
          />
        </Step>
        <Step title={say('Put the assistant on your website')}>
          {sayParts(
            'The last step of adding a site shows the one line for it. Try it with the <link>widget of this site</link>.',
            {
              link: (text) => (
                <Link
                  to="/$organization/$domain/live"
                  params={{ organization: organization.id, domain: siteWord(demo) }}
                >
                  {text}
                </Link>
              ),
            },
          )}
        </Step>
      </ol>
    </Card>
  )
}

function Step({ title, isDone = false, children }: { title: string; isDone?: boolean; children: ReactNode }) {
  const Icon = isDone ? CheckCircle2 : Circle
  return (
    <li className={classes.step}>
      <Icon
        size={18}
        aria-label={isDone ? say('Done') : say('To do')}
        className={isDone ? classes.done : classes.toDo}
      />
      <div className={classes.stepText}>
        <h3 className={classes.stepTitle}>{title}</h3>
        <div className={classes.muted}>{children}</div>
      </div>
    </li>
  )
}
