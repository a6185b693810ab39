import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Section } from '../../../ui/section.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { describeError } from '../../api/api-error.ts'
import { useSession } from '../../api/session.ts'
import { deleteSite, sitesQuery } from '../../api/sites.ts'

/** Takes a site away, after its slug was typed. */
export function DeleteSite({ site, onDeleted }: { site: SiteResource; onDeleted(): void }) {
  const [isOpen, setOpen] = useState(false)
  const { organization } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => deleteSite(site.id),
    onSuccess: async () => {
      setOpen(false)
      onDeleted()
      showToast({ title: `${site.name} is deleted.` })
      await navigate({ to: '/$organization', params: { organization: organization.id }, ignoreBlocker: true })
      await client.invalidateQueries({ queryKey: sitesQuery.queryKey })
    },
  })
  return (
    <Section
      title="Delete this site"
      description="Its keys, its index and its conversations go with it, for good. The repository or folder that it is read from stays."
    >
      <div>
        <Button onClick={() => setOpen(true)}>
          <Trash2 size={16} aria-hidden /> Delete the site …
        </Button>
      </div>
      <ConfirmDialog
        title={`Delete ${site.name}?`}
        action="Delete"
        isOpen={isOpen}
        isBusy={remove.isPending}
        error={remove.isError ? describeError(remove.error) : null}
        typed={{ label: `Type ${site.slug} to go on`, text: site.slug }}
        onConfirm={() => remove.mutate()}
        onClose={() => setOpen(false)}
      >
        Its keys stop to work, and its index and its conversations are deleted. This cannot be undone.
      </ConfirmDialog>
    </Section>
  )
}
