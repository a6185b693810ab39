import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
// Apart from `menu.tsx`, which every page loads.
import classes from './menu.module.css'

/** Leads to another address, or to a file. */
export function MenuLink({ children, ...link }: { href: string; download?: boolean; children: ReactNode }) {
  return (
    <Base.LinkItem className={classes.item} closeOnClick {...link}>
      <span className={classes.text}>{children}</span>
    </Base.LinkItem>
  )
}
