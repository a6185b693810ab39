import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePageTitle } from './current-place.ts'

export function NotFoundPage() {
  return <NotFound>There is no page at this address. Check it, or start from Home.</NotFound>
}

/** Shown on a page whose subject does not exist; the children name it. */
export function NotFound({ children }: { children: ReactNode }) {
  usePageTitle('Page not found')
  return (
    <EmptyState icon={<Compass aria-hidden />} title="Page not found" action={<Link to="/">Go to Home</Link>}>
      {children}
    </EmptyState>
  )
}
