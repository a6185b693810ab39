import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, ChevronsUpDown } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuGroup, MenuItem } from '../../ui/menu.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { sitesQuery } from '../api/sites.ts'
import { BrandMark } from './brand-mark.tsx'
import { useCurrentPlace } from './current-place.ts'
import classes from './place-switcher.module.css'
import { siteWord } from './places.ts'
import { SiteMark } from './site-mark.tsx'
import { say } from '../../words/say.ts'

/** Shows the current organization or site, and switches to another. */
export function PlaceSwitcher() {
  const { organization, site, domain } = useCurrentPlace()
  const sites = useQuery(sitesQuery)
  const navigate = useNavigate()
  const params = { organization: organization.id }
  const name = domain === null ? organization.name : (site?.name ?? domain)
  return (
    <Menu
      align="start"
      trigger={
        <Button look="quiet" className={classes.trigger}>
          <BrandMark />
          <span className={classes.name}>{name}</span>
          <VisuallyHidden>: {say('switch the organization or site')}</VisuallyHidden>
          <ChevronsUpDown size={15} aria-hidden />
        </Button>
      }
    >
      <MenuGroup label={say('Organization')}>
        <MenuItem
          icon={<Building2 size={16} aria-hidden />}
          onSelect={() => void navigate({ to: '/$organization', params })}
        >
          {organization.name}
        </MenuItem>
      </MenuGroup>
      <MenuGroup label={say('Sites')}>
        {(sites.data ?? []).map((site) => (
          <MenuItem
            key={site.id}
            icon={<SiteMark site={site} />}
            onSelect={() =>
              void navigate({ to: '/$organization/$domain', params: { ...params, domain: siteWord(site) } })
            }
          >
            {site.name}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  )
}
