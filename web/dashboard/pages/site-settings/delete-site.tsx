import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { useSession } from '../../api/session.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { useChange } from '../../forms/use-change.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { call } from '../../api/call.ts'

/** Deletes a site, after its slug was typed. */
export function DeleteSite({ site, onDeleted }: { site: SiteResource; onDeleted(): void }) {
  const [asked, setAsked] = useState<string | null>(null)
  const { organization } = useSession()
  const navigate = useNavigate()
  const remove = useChange({
    send: (id: string) => call(siteOperations.deleteSite, { params: { id } }),
    done: `${site.name} is deleted.`,
    stale: ['listSites'],
    onDone: () => {
      onDeleted()
      return navigate({ to: '/$organization', params: { organization: organization.id }, ignoreBlocker: true })
    },
  })
  return (
    <Section
      title="Delete this site"
      description="Its keys, its index and its conversations go with it, for good. The repository or folder that it is read from stays."
    >
      <div>
        <Button onClick={() => setAsked(site.id)}>
          <Trash2 size={16} aria-hidden /> Delete the site …
        </Button>
      </div>
      <ConfirmChange
        title={`Delete ${site.name}?`}
        action="Delete"
        change={remove}
        input={asked}
        typed={{ label: `Type ${site.slug} to go on`, text: site.slug }}
        onClose={() => setAsked(null)}
      >
        Its keys stop to work, and its index and its conversations are deleted. This cannot be undone.
      </ConfirmChange>
    </Section>
  )
}
