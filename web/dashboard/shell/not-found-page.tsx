import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePageTitle } from './current-place.ts'
import { say } from '../../words/say.ts'

export function NotFoundPage() {
  return <NotFound>{say('There is no page at this address. Check it, or start from Home.')}</NotFound>
}

/** Shown on a page whose subject does not exist; the children name it. */
export function NotFound({ children }: { children: ReactNode }) {
  usePageTitle(say('Page not found'))
  return (
    <EmptyState
      isPage
      icon={<Compass aria-hidden />}
      title={say('Page not found')}
      action={<Link to="/">{say('Go to Home')}</Link>}
    >
      {children}
    </EmptyState>
  )
}
