import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import classes from './tabs.module.css'

export interface Tab {
  id: string
  title: string
  content: ReactNode
}

export interface TabsProps {
  label: string
  tabs: readonly [Tab, ...Tab[]]
  /** The controlled tab, if the address of the page remembers it. */
  shown?: { id: string; onChange(id: string): void }
}

/** Tabs, one visible at a time. */
export function Tabs({ label, tabs, shown }: TabsProps) {
  const state =
    shown === undefined
      ? { defaultValue: tabs[0].id }
      : { value: shown.id, onValueChange: (id: unknown) => shown.onChange(String(id)) }
  return (
    <Base.Root {...state} className={classes.tabs}>
      <Base.List className={classes.list} aria-label={label} activateOnFocus>
        {tabs.map(({ id, title }) => (
          <Base.Tab key={id} value={id} className={classes.tab}>
            {title}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id} className={classes.panel}>
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
