import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Book, CheckCircle2, Circle, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProjectResource, SiteResource } from '../../../../src/contract/admin.ts'
import { buttonLook } from '../../../ui/button.tsx'
import { Card, CardGrid } from '../../../ui/card.tsx'
import { CodeSample } from '../../../ui/code-sample.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { siteSummaryQuery } from '../../api/insights.ts'
import { useMay, useSession } from '../../api/session.ts'
import { projectsQuery, sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { siteWord } from '../../shell/places.ts'
import classes from './overview-page.module.css'
import { SiteCard } from './site-card.tsx'
import { keyOperations } from '../../../../src/contract/operations/keys.ts'
import { listOf } from '../../api/call.ts'

/** With more sites, the question counts, which take a request each, are not shown. */
const countedSitesMax = 24

export function OverviewPage() {
  const { organization } = useSession()
  const sites = useQuery(sitesQuery)
  const projects = useQuery(projectsQuery)
  const addSite = useMay('owner') ? (
    <Link className={buttonLook('primary')} to="/$organization/new" params={{ organization: organization.id }}>
      <Plus size={16} aria-hidden /> Add a site
    </Link>
  ) : null
  return (
    <>
      <PageHeader title={organization.name} action={addSite}>
        Documentation sites that Docent answers questions about and edits.
      </PageHeader>
      <Loaded query={projects} skeleton={<Skeleton count={1} />}>
        {(projects) => <Projects projects={projects} />}
      </Loaded>
      <Loaded query={sites} skeleton={<Skeleton shape="cards" count={3} />}>
        {(sites) => (
          <>
            <FirstSteps sites={sites} />
            <section aria-labelledby="sites" className={classes.section}>
              <h2 id="sites" className={classes.heading}>
                Sites
              </h2>
              {sites.length === 0 ? (
                <EmptyState icon={<Book aria-hidden />} title="No sites yet">
                  Add one from a repository, a folder or a published site.
                </EmptyState>
              ) : (
                <CardGrid>
                  {sites.map((site) => (
                    <SiteCard
                      key={site.id}
                      site={site}
                      organization={organization.id}
                      countsQuestions={sites.length <= countedSitesMax}
                    />
                  ))}
                </CardGrid>
              )}
            </section>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Project ids, which the agent API takes in its paths. */
function Projects({ projects }: { projects: readonly ProjectResource[] }) {
  return (
    <ul className={classes.projects}>
      {projects.map(({ id, name }) => (
        <li key={id} className={classes.project}>
          <span className={classes.muted}>{projects.length === 1 ? 'Project ID' : `ID of project ${name}`}</span>
          <code>{id}</code>
          <CopyButton text={id} what={projects.length === 1 ? 'project ID' : `ID of project ${name}`} />
        </li>
      ))}
    </ul>
  )
}

/** Shown while the demo site is the only site. */
function FirstSteps({ sites }: { sites: readonly SiteResource[] }) {
  const [demo, ...others] = sites
  const isOwner = useMay('owner')
  if (demo?.source.location !== 'default/docs' || others.length > 0 || !isOwner) return null
  return <FirstStepsOf demo={demo} />
}

/** The first start creates one key that does not count. */
const firstAssistantKeys = 1

function FirstStepsOf({ demo }: { demo: SiteResource }) {
  const { organization, commandPrefix = 'docent' } = useSession()
  const summary = useQuery(siteSummaryQuery(demo.id))
  const keys = useQuery(listOf(keyOperations.listKeys))
  const hasAsked = summary.data !== undefined && summary.data.total.questions + summary.data.playgroundAnswers > 0
  const assistantKeys = keys.data?.filter(({ kind }) => kind === 'assistant') ?? []
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
        <Step title="Create a key for your own front end" isDone={assistantKeys.length > firstAssistantKeys}>
          The{' '}
          <Link to="/$organization/keys" params={{ organization: organization.id }}>
            API keys
          </Link>{' '}
          page has ready-to-use code.
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
