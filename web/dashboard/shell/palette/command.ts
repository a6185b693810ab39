import type { LucideIcon } from 'lucide-react'

/** An entry of the command palette. */
export interface Command {
  /** Stays the same between visits: the palette remembers which were used. */
  id: string
  /** Path of names, such as `Docs › Playground`. */
  label: string
  /** Shown beside the label, and searched. */
  detail: string
  /** Other words that people use for it. */
  words: string
  /** Another name of its site. */
  slug?: string
  icon: LucideIcon
  /** Null for what belongs to the organization. */
  siteId: string | null
  /** Pages and actions come before equally good objects. */
  isObject?: boolean
  run(): unknown
}

/** Between the names of a place and of what is in it. */
export const labelSeparator = ' › '
