import { ExternalLink as Picture } from 'lucide-react'
import type { ReactNode } from 'react'

/** A link with an untrusted address: only http(s) becomes a link, everything else stays text. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  if (!isWebAddress(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children} <Picture size={13} aria-hidden />
    </a>
  )
}

function isWebAddress(href: string): boolean {
  return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol)
}
