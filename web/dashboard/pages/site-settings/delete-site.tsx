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
import { say } from '../../../words/say.ts'

/** Deletes a site after its slug has been typed. */
export function DeleteSite({ site, onDeleted }: { site: SiteResource; onDeleted(): void }) {
  const [asked, setAsked] = useState<string | null>(null)
  const { organization } = useSession()
  const navigate = useNavigate()
  const remove = useChange({
    send: (id: string) => call(siteOperations.deleteSite, { params: { id } }),
    done: say('Deleted {name}.', { name: site.name }),
    stale: ['listSites'],
    onDone: () => {
      onDeleted()
      return navigate({ to: '/$organization', params: { organization: organization.id }, ignoreBlocker: true })
    },
  })
  return (
    <Section
      title={say('Delete this site')}
      description={say(
        'This also deletes its keys, index and conversations permanently. The repository or folder it is read from is kept.',
      )}
    >
      <div>
        <Button data-command={siteOperations.deleteSite.id} onClick={() => setAsked(site.id)}>
          <Trash2 size={16} aria-hidden /> {say('Delete site …')}
        </Button>
      </div>
      <ConfirmChange
        title={say('Delete {name}?', { name: site.name })}
        action={say('Delete')}
        change={remove}
        input={asked}
        typed={{ label: say('Type {slug} to confirm', { slug: site.slug }), text: site.slug }}
        onClose={() => setAsked(null)}
      >
        {say('Its keys stop working, and its index and conversations are deleted. This cannot be undone.')}
      </ConfirmChange>
    </Section>
  )
}
