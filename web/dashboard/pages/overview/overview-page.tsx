import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Book, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { ProjectResource, SiteResource } from '../../../../src/contract/admin.ts'
import { buttonLook } from '../../../ui/button.tsx'
import { CardGrid } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { projectsQuery, sitesQuery } from '../../api/sites.ts'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './overview-page.module.css'
import { SiteCard } from './site-card.tsx'

/** Needed once in the life of an installation. */
const FirstStepsCard = lazy(() =>
  import('./first-steps-card.tsx').then((module) => ({ default: module.FirstStepsCard })),
)

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
  return (
    <Suspense>
      <FirstStepsCard demo={demo} />
    </Suspense>
  )
}
