import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentPlace } from './current-place.ts'
import classes from './navigation.module.css'
import { organizationPlaces, sitePlaces } from './places.ts'
import { say } from '../../words/say.ts'

/** Links to the pages of the current site and of the organization. */
export function Navigation({ onFollow }: { onFollow?: () => void }) {
  const { organization, site, domain } = useCurrentPlace()
  const params = { organization: organization.id }
  return (
    <nav aria-label={say('Dashboard')} className={classes.navigation}>
      {domain === null ? null : (
        <Section title={site?.name ?? domain}>
          {sitePlaces.map(({ to, title, icon: Icon }) => (
            <li key={to}>
              <Link {...linkLook} to={to} params={{ ...params, domain }} onClick={onFollow}>
                <Icon size={17} aria-hidden /> {title}
              </Link>
            </li>
          ))}
        </Section>
      )}
      <Section title={organization.name}>
        {organizationPlaces.map(({ to, title, icon: Icon }) => (
          <li key={to}>
            <Link {...linkLook} to={to} params={params} onClick={onFollow}>
              <Icon size={17} aria-hidden /> {title}
            </Link>
          </li>
        ))}
      </Section>
    </nav>
  )
}

/** The router marks the link of the current page with `aria-current`. */
const linkLook = { className: classes.link ?? '', activeOptions: { exact: true, includeSearch: false } }

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={classes.title}>{title}</h2>
      <ul className={classes.list}>{children}</ul>
    </section>
  )
}
