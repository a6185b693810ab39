import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { sitesQuery } from '../api/sites.ts'
import classes from './breadcrumbs.module.css'
import { useCurrentPlace } from './current-place.ts'
import { findOwnDocs } from './own-docs.ts'
import { say } from '../../words/say.ts'

/** Where the page is, and its guide. */
export function Breadcrumbs() {
  const { organization, site, domain, title, guide } = useCurrentPlace()
  const docs = findOwnDocs(useQuery(sitesQuery).data)
  const params = { organization: organization.id }
  return (
    <div className={classes.bar}>
      <nav aria-label={say('Breadcrumbs')}>
        <ol className={classes.path}>
          <li>
            <Link to="/$organization" params={params}>
              {organization.name}
            </Link>
          </li>
          {domain === null ? null : (
            <li>
              <Link to="/$organization/$domain" params={{ ...params, domain }}>
                {site?.name ?? domain}
              </Link>
            </li>
          )}
          {title === null ? null : <li aria-current="page">{title}</li>}
        </ol>
      </nav>
      {guide === null || docs === null ? null : (
        <a className={classes.guide} href={`${docs}/${guide}`} target="_blank" rel="noreferrer">
          <BookOpen size={14} aria-hidden /> {say('Guide')}
          <VisuallyHidden>{say('(opens in a new tab)')}</VisuallyHidden>
        </a>
      )}
    </div>
  )
}
