import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { joinClasses } from '../../ui/join-classes.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { sitesQuery } from '../api/sites.ts'
import { describeSiteState } from '../pages/site/site-state.ts'
import { useCurrentPlace } from './current-place.ts'
import classes from './navigation.module.css'
import { organizationPlaces, setupPlaces, sitePlaces, siteWord, workPlaces } from './places.ts'
import { SiteMark } from './site-mark.tsx'
import { say } from '../../words/say.ts'

/** More are found by the switcher and by the command palette. */
const sitesMax = 8

/**
 * Links to the pages of the current site, to the other sites, and to the pages of the organization.
 *
 * @param isRail On middling screens, only the icons show.
 */
export function Navigation({ isRail = false, onFollow }: { isRail?: boolean; onFollow?: () => void }) {
  const { organization, site, domain } = useCurrentPlace()
  const params = { organization: organization.id }
  const ofOrganization = (places: typeof organizationPlaces) =>
    places.map(({ to, title, icon: Icon }) => (
      <li key={to}>
        <Link {...linkLook} to={to} params={params} onClick={onFollow} title={title}>
          <Icon size={16} aria-hidden /> <span className={classes.name}>{title}</span>
        </Link>
      </li>
    ))
  return (
    <nav aria-label={say('Dashboard')} className={joinClasses(classes.navigation, isRail && classes.side)}>
      {domain === null ? (
        <>
          <ul className={classes.list}>{ofOrganization([...workPlaces])}</ul>
          <SiteLinks {...(onFollow && { onFollow })} />
          <Section title={say('Organization')}>{ofOrganization([...setupPlaces])}</Section>
        </>
      ) : (
        <>
          <Section title={site?.name ?? domain} mark={site === null ? null : <SiteMark site={site} />}>
            {sitePlaces.map(({ to, title, icon: Icon }) => (
              <li key={to}>
                <Link {...linkLook} to={to} params={{ ...params, domain }} onClick={onFollow} title={title}>
                  <Icon size={16} aria-hidden /> <span className={classes.name}>{title}</span>
                </Link>
              </li>
            ))}
          </Section>
          <Section title={organization.name}>{ofOrganization(organizationPlaces)}</Section>
        </>
      )}
    </nav>
  )
}

function SiteLinks({ onFollow }: { onFollow?: () => void }) {
  const { organization } = useCurrentPlace()
  const { data: sites = [] } = useQuery(sitesQuery)
  if (sites.length === 0) return null
  return (
    <Section title={say('Sites')}>
      {sites.slice(0, sitesMax).map((site) => {
        const { tone, label } = describeSiteState(site)
        return (
          <li key={site.id}>
            <Link
              {...linkLook}
              to="/$organization/$domain"
              params={{ organization: organization.id, domain: siteWord(site) }}
              onClick={onFollow}
              title={site.name}
            >
              <SiteMark site={site} />
              <span className={classes.name}>{site.name}</span>
              {tone === 'danger' ? (
                <span className={classes.fault} title={label}>
                  <VisuallyHidden>{label}</VisuallyHidden>
                </span>
              ) : null}
            </Link>
          </li>
        )
      })}
    </Section>
  )
}

/** The router marks the link of the current page with `aria-current`. */
const linkLook = { className: classes.link ?? '', activeOptions: { exact: true, includeSearch: false } }

function Section({ title, mark = null, children }: { title: string; mark?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h2 className={classes.title}>
        {mark} <span>{title}</span>
      </h2>
      <ul className={classes.list}>{children}</ul>
    </section>
  )
}
