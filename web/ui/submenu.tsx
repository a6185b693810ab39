import { Menu as Base } from '@base-ui/react/menu'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
// Apart from `menu.tsx`, which every page loads.
import classes from './menu.module.css'

/** Within a menu, opens at its side. */
export function Submenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={classes.item}>
        <span className={classes.text}>{label}</span>
        <ChevronRight size={14} aria-hidden />
      </Base.SubmenuTrigger>
      <Base.Portal>
        <Base.Positioner className={classes.positioner} sideOffset={-4} collisionPadding={8}>
          <Base.Popup className={classes.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  )
}
