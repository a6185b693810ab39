import { useState } from 'react'
import type { SiteResource } from '../../../src/contract/admin.ts'
import classes from './site-mark.module.css'

/** The icon that a site has in browsers, or its first letter. */
export function SiteMark({ site: { name, icon } }: { site: Pick<SiteResource, 'name' | 'icon'> }) {
  const [broken, setBroken] = useState<string | null>(null)
  if (icon !== null && icon !== broken) {
    return <img className={classes.mark} src={icon} alt="" onError={() => setBroken(icon)} />
  }
  const [letter = ''] = name
  return (
    <span className={classes.mark} data-letter aria-hidden>
      {letter.toLocaleUpperCase()}
    </span>
  )
}
