import { Link } from '@tanstack/react-router'
import classes from './breadcrumbs.module.css'
import { useCurrentPlace } from './current-place.ts'

export function Breadcrumbs() {
  const { organization, site, domain, title } = useCurrentPlace()
  const params = { organization: organization.id }
  return (
    <nav aria-label="Breadcrumbs">
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
  )
}
